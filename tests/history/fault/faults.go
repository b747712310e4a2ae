package fault

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Fault is a bug that a server could have.
type Fault struct {
	Name string
	Bug  string
	// FoundBy are the workloads that must find it.
	FoundBy []string
	answer  func(*Proxy, request) (answer, error)
}

// None is no fault at all: the proxy itself must not look like one.
var None = Fault{"none", "nothing is wrong", nil, (*Proxy).forward}

// All are the faults that are tried.
var All = []Fault{
	{"stale_read", "a read is answered from a cache", []string{"single", "append"}, staleRead},
	{"ignored_condition", "a condition is not looked at", []string{"single", "append"}, ignoredCondition},
	{"lost_update", "an ADD reads, waits and writes without a guard", []string{"single"}, lostUpdate},
	{"dropped_write", "a write is acknowledged and not done", []string{"single", "append", "bank"}, droppedWrite},
	{"late_write", "a write is acknowledged before it is done", []string{"single", "append"}, lateWrite},
	{"doubled_write", "a write is done twice", []string{"single", "append"}, doubledWrite},
	{"half_transaction", "a transaction stops in the middle", []string{"append", "bank"}, halfTransaction},
	{"fractured_read", "a transaction reads item by item", []string{"append", "bank"}, fracturedRead},
}

var (
	plainWrites = map[string]bool{"PutItem": true, "UpdateItem": true, "DeleteItem": true}
	reads       = map[string]bool{"GetItem": true, "TransactGetItems": true}
)

var acknowledged = answer{http.StatusOK, []byte("{}")}

// actions are the parts of a transaction that writes, under the name that the request has for them.
func (r request) actions() (string, []interface{}) {
	switch r.operation {
	case "TransactWriteItems":
		return "TransactItems", r.body["TransactItems"].([]interface{})
	case "ExecuteTransaction":
		statements := r.body["TransactStatements"].([]interface{})
		if text := statements[0].(map[string]interface{})["Statement"].(string); text[:6] != "SELECT" {
			return "TransactStatements", statements
		}
	}
	return "", nil
}

func (r request) writes() bool {
	_, actions := r.actions()
	return plainWrites[r.operation] || actions != nil
}

// silent tells whether a write has the same answer whatever is stored: then a bug can hide it. A transaction
// with conditions does not, but a server that has checked them can still forget to write.
func (r request) silent() bool {
	shows, _ := r.body["ReturnValues"].(string)
	return r.writes() && (shows == "" || shows == "NONE") && r.body["ConditionExpression"] == nil
}

// with is the request with another value in one place.
func (r request) with(name string, value interface{}) request {
	changed := request{r.operation, map[string]interface{}{}}
	for key, old := range r.body {
		changed.body[key] = old
	}
	changed.body[name] = value
	return changed
}

func staleRead(p *Proxy, r request) (answer, error) {
	if !reads[r.operation] {
		return p.forward(r)
	}
	text, err := json.Marshal(r.body)
	if err != nil {
		return answer{}, err
	}
	name := r.operation + string(text)
	p.mutex.Lock()
	earlier, known := p.earlier[name]
	p.mutex.Unlock()
	if known && p.chance(10) {
		return earlier, nil
	}
	given, err := p.forward(r)
	if err == nil && given.status == http.StatusOK {
		p.mutex.Lock()
		p.earlier[name] = given
		p.mutex.Unlock()
	}
	return given, err
}

func ignoredCondition(p *Proxy, r request) (answer, error) {
	if r.writes() && p.chance(20) {
		always(r.body)
		if r.operation == "TransactWriteItems" {
			for _, action := range r.body["TransactItems"].([]interface{}) {
				for _, part := range action.(map[string]interface{}) {
					always(part.(map[string]interface{}))
				}
			}
		}
	}
	return p.forward(r)
}

// always makes a condition true without leaving a value of it unused, which would be an error.
func always(part map[string]interface{}) {
	if condition, is := part["ConditionExpression"].(string); is {
		part["ConditionExpression"] = "(" + condition + ") OR attribute_exists(pk) OR attribute_not_exists(pk)"
	}
}

func lostUpdate(p *Proxy, r request) (answer, error) {
	if r.operation != "UpdateItem" || r.body["UpdateExpression"] != "ADD n :delta" {
		return p.forward(r)
	}
	found, err := p.forward(request{"GetItem", map[string]interface{}{
		"TableName": r.body["TableName"], "Key": r.body["Key"], "ConsistentRead": true}})
	if err != nil {
		return answer{}, err
	}
	var item struct {
		Item struct{ N struct{ N string } }
	}
	if err := json.Unmarshal(found.body, &item); err != nil {
		return answer{}, err
	}
	count, _ := strconv.Atoi(item.Item.N.N)
	time.Sleep(time.Millisecond)
	values := r.body["ExpressionAttributeValues"].(map[string]interface{})
	delta, err := strconv.Atoi(values[":delta"].(map[string]interface{})["N"].(string))
	if err != nil {
		return answer{}, err
	}
	values[":delta"] = map[string]interface{}{"N": fmt.Sprint(count + delta)}
	return p.forward(r.with("UpdateExpression", "SET n = :delta"))
}

func droppedWrite(p *Proxy, r request) (answer, error) {
	if r.silent() && p.chance(5) {
		return acknowledged, nil
	}
	return p.forward(r)
}

func lateWrite(p *Proxy, r request) (answer, error) {
	if r.silent() && p.chance(20) {
		time.AfterFunc(20*time.Millisecond, func() { _, _ = p.forward(r) })
		return acknowledged, nil
	}
	return p.forward(r)
}

func doubledWrite(p *Proxy, r request) (answer, error) {
	given, err := p.forward(r)
	if err == nil && given.status == http.StatusOK && r.writes() && p.chance(20) {
		delete(r.body, "ClientRequestToken")
		_, err = p.forward(r)
	}
	return given, err
}

func halfTransaction(p *Proxy, r request) (answer, error) {
	if name, actions := r.actions(); len(actions) > 1 && p.chance(20) {
		return p.forward(r.with(name, actions[:len(actions)-1]))
	}
	return p.forward(r)
}

func fracturedRead(p *Proxy, r request) (answer, error) {
	if r.operation != "TransactGetItems" {
		return p.forward(r)
	}
	var merged struct{ Responses []json.RawMessage }
	for _, get := range r.body["TransactItems"].([]interface{}) {
		given, err := p.forward(r.with("TransactItems", []interface{}{get}))
		if err != nil || given.status != http.StatusOK {
			return given, err
		}
		var part struct{ Responses []json.RawMessage }
		if err := json.Unmarshal(given.body, &part); err != nil {
			return answer{}, err
		}
		merged.Responses = append(merged.Responses, part.Responses...)
	}
	text, err := json.Marshal(merged)
	return answer{http.StatusOK, text}, err
}
