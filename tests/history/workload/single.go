package workload

import (
	"fmt"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/anishathalye/porcupine"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stator/history/check"
	"stator/history/cluster"
)

// singles is the record of a run of single-item operations.
type singles struct {
	*running
	recording  sync.Mutex
	operations []porcupine.Operation
	seen       sync.Map // key to the version that somebody saw last: what conditions are made of
}

// Single runs puts, updates, deletes and reads of a few items, alone and in transactions, and checks that
// the operations of each item are linearizable.
func Single(run Run) (Report, error) {
	state, err := run.start("single")
	if err != nil {
		return Report{}, err
	}
	history := &singles{running: state}
	if err := state.everybody(history.act); err != nil {
		return state.report, err
	}
	picture := filepath.Join(run.Directory, state.table+".html")
	return state.report, check.Linearizable(history.operations, run.CheckLimit, picture)
}

func (h *singles) act(s *session) {
	key := keyName(s.random.Intn(h.Keys))
	switch dice := s.random.Intn(100); {
	case dice < 25:
		h.get(s, key)
	case dice < 50:
		h.put(s, h.condition(s, check.Input{Key: key, Action: check.Put, Version: s.version()}))
	case dice < 70:
		in := check.Input{Key: key, Action: check.Add, Delta: 1 + s.random.Intn(9)}
		if s.chance(50) {
			in.Version = s.version()
		}
		h.update(s, h.condition(s, in))
	case dice < 80:
		h.delete(s, h.condition(s, check.Input{Key: key, Action: check.Delete}))
	case dice < 90:
		h.transactWrite(s)
	default:
		h.transactGet(s)
	}
}

// condition puts a condition before a write, or none.
func (h *singles) condition(s *session, in check.Input) check.Input {
	switch dice := s.random.Intn(10); {
	case dice < 3:
		if seen, known := h.seen.Load(in.Key); known {
			in.Condition, in.Expected = check.VersionIs, seen.(string)
		}
	case dice < 4:
		in.Condition = check.Exists
	case dice < 5:
		in.Condition = check.Absent
	}
	return in
}

func (h *singles) record(s *session, call int64, in check.Input, outcome cluster.Outcome, out check.Output) {
	end := h.now()
	if outcome == cluster.NotApplied || outcome == cluster.Wrong || outcome == cluster.Unknown && in.Action == check.Get {
		return
	}
	out.Unknown, out.Refused = outcome == cluster.Unknown, outcome == cluster.Refused
	for _, shown := range []*check.State{out.Before, out.After} {
		if shown != nil && shown.Version != "" {
			h.seen.Store(in.Key, shown.Version)
		}
	}
	h.recording.Lock()
	defer h.recording.Unlock()
	h.operations = append(h.operations, porcupine.Operation{
		ClientId: s.number, Input: in, Call: call, Output: out, Return: returnTime(outcome, end),
	})
}

func (h *singles) get(s *session, key string) {
	call := h.now()
	answer, err := s.GetItem(h.context, &dynamodb.GetItemInput{
		TableName: s.table(), Key: keyOf(key), ConsistentRead: aws.Bool(true),
	})
	outcome, out := s.outcome(err), check.Output{}
	if err == nil {
		out.Before = itemState(answer.Item)
	}
	h.record(s, call, check.Input{Key: key, Action: check.Get}, outcome, out)
}

func (h *singles) put(s *session, in check.Input) {
	call := h.now()
	condition, values := conditionOf(in)
	request := &dynamodb.PutItemInput{
		TableName: s.table(), Item: itemOf(in), ConditionExpression: condition, ExpressionAttributeValues: values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	shows := s.chance(50)
	if shows {
		request.ReturnValues = types.ReturnValueAllOld
	}
	answer, err := s.PutItem(h.context, request)
	outcome, out := s.outcome(err), refusedState(err)
	if err == nil && shows {
		out.Before = itemState(answer.Attributes)
	}
	h.record(s, call, in, outcome, out)
}

func (h *singles) update(s *session, in check.Input) {
	call := h.now()
	condition, values := conditionOf(in)
	expression := updateOf(in, &values)
	request := &dynamodb.UpdateItemInput{
		TableName: s.table(), Key: keyOf(in.Key), UpdateExpression: expression,
		ConditionExpression: condition, ExpressionAttributeValues: values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	shows := s.random.Intn(3)
	request.ReturnValues = [...]types.ReturnValue{
		types.ReturnValueNone, types.ReturnValueAllOld, types.ReturnValueAllNew}[shows]
	answer, err := s.UpdateItem(h.context, request)
	outcome, out := s.outcome(err), refusedState(err)
	if err == nil && shows == 1 {
		out.Before = itemState(answer.Attributes)
	}
	if err == nil && shows == 2 {
		out.After = itemState(answer.Attributes)
	}
	h.record(s, call, in, outcome, out)
}

func (h *singles) delete(s *session, in check.Input) {
	call := h.now()
	condition, values := conditionOf(in)
	request := &dynamodb.DeleteItemInput{
		TableName: s.table(), Key: keyOf(in.Key), ConditionExpression: condition, ExpressionAttributeValues: values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	shows := s.chance(50)
	if shows {
		request.ReturnValues = types.ReturnValueAllOld
	}
	answer, err := s.DeleteItem(h.context, request)
	outcome, out := s.outcome(err), refusedState(err)
	if err == nil && shows {
		out.Before = itemState(answer.Attributes)
	}
	h.record(s, call, in, outcome, out)
}

// conditionOf is the condition of an operation as an expression and its values.
func conditionOf(in check.Input) (*string, map[string]types.AttributeValue) {
	switch in.Condition {
	case check.Exists:
		return aws.String("attribute_exists(pk)"), nil
	case check.Absent:
		return aws.String("attribute_not_exists(pk)"), nil
	case check.VersionIs:
		return aws.String("v = :expected"), map[string]types.AttributeValue{":expected": text(in.Expected)}
	default:
		return nil, nil
	}
}

func updateOf(in check.Input, values *map[string]types.AttributeValue) *string {
	if *values == nil {
		*values = map[string]types.AttributeValue{}
	}
	(*values)[":delta"] = number(in.Delta)
	if in.Version == "" {
		return aws.String("ADD n :delta")
	}
	(*values)[":version"] = text(in.Version)
	return aws.String("ADD n :delta SET v = :version")
}

func itemOf(in check.Input) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"pk": text(in.Key), "v": text(in.Version), "n": number(0)}
}

// itemState reads an item of an answer; an absent one has no attributes.
func itemState(item map[string]types.AttributeValue) *check.State {
	if len(item) == 0 {
		return &check.State{}
	}
	state := &check.State{Exists: true}
	if version, is := item["v"].(*types.AttributeValueMemberS); is {
		state.Version = version.Value
	}
	if count, is := item["n"].(*types.AttributeValueMemberN); is {
		value, err := strconv.Atoi(count.Value)
		if err != nil {
			panic(fmt.Sprintf("a count is %q", count.Value))
		}
		state.Count = value
	}
	return state
}
