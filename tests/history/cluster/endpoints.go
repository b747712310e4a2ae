// Package cluster is the system under test: where its nodes are, a server process that can be
// killed, and SDK clients that tell exactly what is known about the outcome of a request.
package cluster

import "sync"

// Endpoints are the addresses of the nodes. A node that was restarted has a new address, so clients
// ask at each request. All methods may be called from many goroutines at once.
type Endpoints struct {
	mutex sync.RWMutex
	urls  []string
}

// NewEndpoints takes one address per node, such as "http://127.0.0.1:8000".
func NewEndpoints(urls ...string) *Endpoints {
	return &Endpoints{urls: append([]string(nil), urls...)}
}

// URL is the address of a node; any number will do, it is taken modulo the number of nodes.
func (e *Endpoints) URL(node int) string {
	e.mutex.RLock()
	defer e.mutex.RUnlock()
	return e.urls[node%len(e.urls)]
}

// Move gives a node its new address.
func (e *Endpoints) Move(node int, url string) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.urls[node] = url
}
