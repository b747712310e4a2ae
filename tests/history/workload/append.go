package workload

import (
	"fmt"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stator/history/check"
	"stator/history/cluster"
)

// Items of this workload hold the list of their versions ("chain") and the last one ("v"). A write appends
// a new version, either to whatever is there or on the condition that v is the version that was read.

// Reads show the whole list, so its length is bounded: a run with more writes goes on with new items.
const appendsMax = 300

// appends is the record of a run of transactions.
type appends struct {
	*running
	recording    sync.Mutex
	transactions []check.Transaction
	generation   int            // of the items; see appendsMax
	written      map[string]int // appends to each item so far
	seen         sync.Map       // key to its last version seen: what conditions are made of
}

// Append runs transactions and single operations on a few items and checks that all of them together are
// strictly serializable.
func Append(run Run) (Report, error) {
	state, err := run.start("append")
	if err != nil {
		return Report{}, err
	}
	history := &appends{running: state, written: map[string]int{}}
	if err := state.everybody(history.act); err != nil {
		return state.report, err
	}
	if err := history.readEverything(); err != nil {
		return state.report, err
	}
	return state.report, check.StrictlySerializable(history.transactions)
}

func (h *appends) act(s *session) {
	switch dice := s.random.Intn(100); {
	case dice < 30:
		h.transactWrite(s)
	case dice < 40:
		h.executeWrite(s)
	case dice < 60:
		h.transactGet(s)
	case dice < 65:
		h.executeRead(s)
	case dice < 80:
		h.update(s)
	default:
		h.get(s)
	}
}

// keys are distinct items of the present generation.
func (h *appends) keys(s *session, count int) []string {
	h.recording.Lock()
	generation := h.generation
	h.recording.Unlock()
	keys := s.some(count)
	for place := range keys {
		keys[place] = fmt.Sprintf("%s-%d", keys[place], generation)
	}
	return keys
}

// record keeps a transaction with what is known of its outcome.
func (h *appends) record(s *session, call int64, outcome cluster.Outcome, transaction check.Transaction) {
	end := h.now()
	transaction.Client, transaction.Call, transaction.Return = s.number, call, returnTime(outcome, end)
	transaction.Unknown = outcome == cluster.Unknown
	transaction.Aborted = outcome == cluster.Refused || outcome == cluster.NotApplied
	for _, read := range transaction.Reads {
		h.seen.Store(read.Key, last(read.Versions))
	}
	if len(transaction.Writes) == 0 && outcome != cluster.Done {
		return
	}
	h.recording.Lock()
	defer h.recording.Unlock()
	h.transactions = append(h.transactions, transaction)
	for _, write := range transaction.Writes {
		if !transaction.Aborted {
			h.written[write.Key]++
		}
		if h.written[write.Key] > appendsMax {
			h.generation++
			h.written = map[string]int{}
		}
	}
}

// sawRefusal keeps the item that came with a failed condition: a read of that item alone.
func (h *appends) sawRefusal(s *session, call int64, key string, item map[string]types.AttributeValue) {
	h.record(s, call, cluster.Done, check.Transaction{Reads: []check.Read{h.readOf(key, item)}})
}

// plan chooses what a write does to a key.
func (h *appends) plan(s *session, key string, mayCheck bool) check.Write {
	write := check.Write{Key: key, Version: s.version()}
	if s.chance(40) {
		expected := ""
		if seen, known := h.seen.Load(key); known {
			expected = seen.(string)
		}
		write.Expected = &expected
		if mayCheck && s.chance(40) {
			write.Version = ""
		}
	}
	return write
}

func (h *appends) update(s *session) {
	write := h.plan(s, h.keys(s, 1)[0], false)
	action := appendAction(s, write).Update
	call := h.now()
	_, err := s.UpdateItem(h.context, &dynamodb.UpdateItemInput{
		TableName: action.TableName, Key: action.Key, UpdateExpression: action.UpdateExpression,
		ConditionExpression: action.ConditionExpression, ExpressionAttributeValues: action.ExpressionAttributeValues,
	})
	h.record(s, call, s.outcome(err), check.Transaction{Writes: []check.Write{write}})
}

func (h *appends) get(s *session) {
	key := h.keys(s, 1)[0]
	call := h.now()
	answer, err := s.GetItem(h.context, &dynamodb.GetItemInput{
		TableName: s.table(), Key: keyOf(key), ConsistentRead: aws.Bool(true),
	})
	if outcome := s.outcome(err); outcome == cluster.Done {
		h.record(s, call, outcome, check.Transaction{Reads: []check.Read{h.readOf(key, answer.Item)}})
	}
}

func (h *appends) transactGet(s *session) {
	keys := h.keys(s, 2+s.random.Intn(h.Keys-1))
	call := h.now()
	answer, err := s.TransactGetItems(h.context, readAll(s, keys))
	if outcome := s.outcome(err); outcome == cluster.Done {
		var reads []check.Read
		for place, key := range keys {
			reads = append(reads, h.readOf(key, answer.Responses[place].Item))
		}
		h.record(s, call, outcome, check.Transaction{Reads: reads})
	}
}

func (h *appends) transactWrite(s *session) {
	request := &dynamodb.TransactWriteItemsInput{}
	var writes []check.Write
	for _, key := range h.keys(s, 2+s.random.Intn(h.Keys-1)) {
		write := h.plan(s, key, true)
		writes = append(writes, write)
		request.TransactItems = append(request.TransactItems, appendAction(s, write))
	}
	call := h.now()
	_, err := s.TransactWriteItems(h.context, request)
	h.record(s, call, s.outcome(err), check.Transaction{Writes: writes})
	for place, reason := range cluster.Reasons(err) {
		if aws.ToString(reason.Code) == "ConditionalCheckFailed" {
			h.sawRefusal(s, call, writes[place].Key, reason.Item)
		}
	}
}

// appendAction is a write as an action of a transaction.
func appendAction(s *session, write check.Write) types.TransactWriteItem {
	const showItem = types.ReturnValuesOnConditionCheckFailureAllOld
	values := map[string]types.AttributeValue{}
	var condition *string
	if write.Expected != nil && *write.Expected == "" {
		condition = aws.String("attribute_not_exists(v)")
	} else if write.Expected != nil {
		condition = aws.String("v = :expected")
		values[":expected"] = text(*write.Expected)
	}
	if write.Version == "" {
		if len(values) == 0 {
			values = nil
		}
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: s.table(), Key: keyOf(write.Key), ConditionExpression: condition,
			ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showItem,
		}}
	}
	values[":none"] = &types.AttributeValueMemberL{}
	values[":new"] = &types.AttributeValueMemberL{Value: []types.AttributeValue{text(write.Version)}}
	values[":version"] = text(write.Version)
	return types.TransactWriteItem{Update: &types.Update{
		TableName: s.table(), Key: keyOf(write.Key), ConditionExpression: condition,
		UpdateExpression:          aws.String("SET v = :version, chain = list_append(if_not_exists(chain, :none), :new)"),
		ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showItem,
	}}
}

// readOf takes the versions out of an item. An item whose last version is not its v is half a write.
func (h *appends) readOf(key string, item map[string]types.AttributeValue) check.Read {
	read := check.Read{Key: key}
	if list, is := item["chain"].(*types.AttributeValueMemberL); is {
		for _, entry := range list.Value {
			read.Versions = append(read.Versions, entry.(*types.AttributeValueMemberS).Value)
		}
	}
	version, _ := item["v"].(*types.AttributeValueMemberS)
	if version == nil && len(read.Versions) > 0 || version != nil && version.Value != last(read.Versions) {
		h.fail(fmt.Errorf("item %s: its list ends with %q, and its v is another", key, last(read.Versions)))
	}
	return read
}

func last(versions []string) string {
	if len(versions) == 0 {
		return ""
	}
	return versions[len(versions)-1]
}

// readEverything shows the checker the last state of every item.
func (h *appends) readEverything() error {
	s := h.session(0)
	keys := map[string]bool{}
	for _, transaction := range h.transactions {
		for _, write := range transaction.Writes {
			keys[write.Key] = true
		}
	}
	for key := range keys {
		var answer *dynamodb.GetItemOutput
		call := h.now()
		err := s.insist(func() (err error) {
			answer, err = s.GetItem(h.context, &dynamodb.GetItemInput{
				TableName: s.table(), Key: keyOf(key), ConsistentRead: aws.Bool(true),
			})
			return err
		})
		if err != nil {
			return err
		}
		h.record(s, call, cluster.Done, check.Transaction{Reads: []check.Read{h.readOf(key, answer.Item)}})
	}
	return h.wrong
}
