package workload

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stator/history/check"
	"stator/history/cluster"
)

// Whether transactions are whole is for the append workload to find out. Here each of their actions is one
// more operation on its item, so that plain writes and transactions are checked against each other.

func (h *singles) transactWrite(s *session) {
	request := &dynamodb.TransactWriteItemsInput{}
	var inputs []check.Input
	for _, key := range s.some(2 + s.random.Intn(h.Keys-1)) {
		in := check.Input{Key: key}
		switch s.random.Intn(4) {
		case 0:
			in.Action, in.Version = check.Put, s.version()
		case 1:
			in.Action, in.Version, in.Delta = check.Add, s.version(), 1
		case 2:
			in.Action = check.Delete
		default:
			in.Action, in.Condition = check.Get, check.Exists
		}
		if in.Action != check.Get {
			in = h.condition(s, in)
		}
		inputs = append(inputs, in)
		request.TransactItems = append(request.TransactItems, actionOf(s, in))
	}
	call := h.now()
	_, err := s.TransactWriteItems(h.context, request)
	outcome := s.outcome(err)
	reasons := cluster.Reasons(err)
	for place, in := range inputs {
		switch {
		case outcome != cluster.Refused:
			h.record(s, call, in, outcome, check.Output{})
		case aws.ToString(reasons[place].Code) == "ConditionalCheckFailed":
			h.record(s, call, in, outcome, check.Output{Before: itemState(reasons[place].Item)})
		}
	}
}

func actionOf(s *session, in check.Input) types.TransactWriteItem {
	const showItem = types.ReturnValuesOnConditionCheckFailureAllOld
	condition, values := conditionOf(in)
	switch in.Action {
	case check.Put:
		return types.TransactWriteItem{Put: &types.Put{
			TableName: s.table(), Item: itemOf(in), ConditionExpression: condition,
			ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showItem,
		}}
	case check.Add:
		expression := updateOf(in, &values)
		return types.TransactWriteItem{Update: &types.Update{
			TableName: s.table(), Key: keyOf(in.Key), UpdateExpression: expression, ConditionExpression: condition,
			ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showItem,
		}}
	case check.Delete:
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: s.table(), Key: keyOf(in.Key), ConditionExpression: condition,
			ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showItem,
		}}
	default:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: s.table(), Key: keyOf(in.Key), ConditionExpression: condition,
			ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showItem,
		}}
	}
}

func (h *singles) transactGet(s *session) {
	keys := s.some(h.Keys)
	call := h.now()
	answer, err := s.TransactGetItems(h.context, readAll(s, keys))
	if s.outcome(err) != cluster.Done {
		return
	}
	for place, key := range keys {
		out := check.Output{Before: itemState(answer.Responses[place].Item)}
		h.record(s, call, check.Input{Key: key, Action: check.Get}, cluster.Done, out)
	}
}

func readAll(s *session, keys []string) *dynamodb.TransactGetItemsInput {
	request := &dynamodb.TransactGetItemsInput{}
	for _, key := range keys {
		request.TransactItems = append(request.TransactItems,
			types.TransactGetItem{Get: &types.Get{TableName: s.table(), Key: keyOf(key)}})
	}
	return request
}

// refusedState is the item that comes with a failed condition.
func refusedState(err error) check.Output {
	var refused *types.ConditionalCheckFailedException
	if errors.As(err, &refused) {
		return check.Output{Before: itemState(refused.Item)}
	}
	return check.Output{}
}
