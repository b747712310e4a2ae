package workload

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stator/history/check"
	"stator/history/cluster"
)

// The same transactions as PartiQL statements. A list can only be appended to where there is one, so these
// writes have the condition that the item exists, and a refusal shows that it does not.

func (h *appends) executeWrite(s *session) {
	statement := fmt.Sprintf(
		`UPDATE "%s" SET v = ? SET chain = list_append(chain, ?) WHERE pk = ? AND attribute_type(chain, 'L')`, h.table)
	request := &dynamodb.ExecuteTransactionInput{}
	var writes []check.Write
	for _, key := range h.keys(s, 2+s.random.Intn(h.Keys-1)) {
		write := check.Write{Key: key, Version: s.version()}
		writes = append(writes, write)
		request.TransactStatements = append(request.TransactStatements, types.ParameterizedStatement{
			Statement: aws.String(statement),
			Parameters: []types.AttributeValue{
				text(write.Version),
				&types.AttributeValueMemberL{Value: []types.AttributeValue{text(write.Version)}},
				text(key),
			},
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		})
	}
	call := h.now()
	_, err := s.ExecuteTransaction(h.context, request)
	h.record(s, call, s.outcome(err), check.Transaction{Writes: writes})
	for place, reason := range cluster.Reasons(err) {
		if aws.ToString(reason.Code) == "ConditionalCheckFailed" {
			h.sawRefusal(s, call, writes[place].Key, reason.Item)
		}
	}
}

func (h *appends) executeRead(s *session) {
	request := &dynamodb.ExecuteTransactionInput{}
	keys := h.keys(s, 2+s.random.Intn(h.Keys-1))
	for _, key := range keys {
		request.TransactStatements = append(request.TransactStatements, types.ParameterizedStatement{
			Statement:  aws.String(fmt.Sprintf(`SELECT * FROM "%s" WHERE pk = ?`, h.table)),
			Parameters: []types.AttributeValue{text(key)},
		})
	}
	call := h.now()
	answer, err := s.ExecuteTransaction(h.context, request)
	if outcome := s.outcome(err); outcome == cluster.Done {
		var reads []check.Read
		for place, key := range keys {
			reads = append(reads, h.readOf(key, answer.Responses[place].Item))
		}
		h.record(s, call, outcome, check.Transaction{Reads: reads})
	}
}
