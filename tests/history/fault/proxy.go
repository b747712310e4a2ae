// Package fault stands between clients and a correct server and makes it look like a server with a bug, so
// that a test can show that the checkers would find the bug.
package fault

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"math/rand"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"stator/history/cluster"
)

const targetPrefix = "DynamoDB_20120810."

// request is a request of a client, taken apart.
type request struct {
	operation string
	body      map[string]interface{}
}

type answer struct {
	status int
	body   []byte
}

// Proxy is a node of its own: clients get its address instead of the server's.
type Proxy struct {
	URL      string
	upstream *cluster.Endpoints
	fault    Fault
	client   *http.Client
	listener net.Listener
	mutex    sync.Mutex
	random   *rand.Rand        // guarded by mutex
	earlier  map[string]answer // answers to reads, for a fault that shows them again; guarded by mutex
}

// NewProxy listens on a free port.
func NewProxy(upstream *cluster.Endpoints, fault Fault, seed int64) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	proxy := &Proxy{
		URL:      "http://" + listener.Addr().String(),
		upstream: upstream, fault: fault, listener: listener,
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}},
		random:  rand.New(rand.NewSource(seed)),
		earlier: map[string]answer{},
	}
	go func() { _ = http.Serve(listener, proxy) }()
	return proxy, nil
}

// Close ends the listening.
func (p *Proxy) Close() { _ = p.listener.Close() }

func (p *Proxy) ServeHTTP(writer http.ResponseWriter, incoming *http.Request) {
	text, err := io.ReadAll(incoming.Body)
	received := request{operation: strings.TrimPrefix(incoming.Header.Get("X-Amz-Target"), targetPrefix)}
	if err != nil || json.Unmarshal(text, &received.body) != nil {
		http.Error(writer, "the proxy takes JSON", http.StatusBadRequest)
		return
	}
	given, err := p.fault.answer(p, received)
	if err != nil {
		http.Error(writer, err.Error(), http.StatusBadGateway)
		return
	}
	writer.Header().Set("Content-Type", "application/x-amz-json-1.0")
	writer.WriteHeader(given.status)
	_, _ = writer.Write(given.body)
}

// forward asks the server, with a signature of its own as the body may not be the client's any more.
func (p *Proxy) forward(r request) (answer, error) {
	body, err := json.Marshal(r.body)
	if err != nil {
		return answer{}, err
	}
	outgoing, err := http.NewRequest(http.MethodPost, p.upstream.URL(0), bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	outgoing.Header.Set("X-Amz-Target", targetPrefix+r.operation)
	outgoing.Header.Set("Content-Type", "application/x-amz-json-1.0")
	hash := sha256.Sum256(body)
	credentials := aws.Credentials{AccessKeyID: cluster.AccessKey, SecretAccessKey: cluster.SecretKey}
	err = v4.NewSigner().SignHTTP(context.Background(), credentials, outgoing, hex.EncodeToString(hash[:]),
		"dynamodb", cluster.Region, time.Now())
	if err != nil {
		return answer{}, err
	}
	response, err := p.client.Do(outgoing)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, text}, err
}

// chance is true in so many of a hundred cases.
func (p *Proxy) chance(percent int) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.random.Intn(100) < percent
}
