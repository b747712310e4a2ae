package main

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Requests about several items.

func (w *worker) batchGet(ctx context.Context) error {
	_, err := w.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		mainTable: {Keys: w.keys(sorts)}}})
	return err
}

func (w *worker) batchWrite(ctx context.Context) error {
	var requests []types.WriteRequest
	for place, key := range w.keys(sorts) {
		if place%4 == 0 {
			requests = append(requests, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key}})
			continue
		}
		item := w.item()
		item["pk"], item["sk"] = key["pk"], key["sk"]
		requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
	}
	_, err := w.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{mainTable: requests}})
	return err
}

// transactWrite has the SDK's own token, so it fills the memory of tokens as well.
func (w *worker) transactWrite(ctx context.Context) error {
	keys := w.keys(3)
	table := aws.String(mainTable)
	_, err := w.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Update: &types.Update{TableName: table, Key: keys[0], UpdateExpression: aws.String("ADD n :one"),
			ExpressionAttributeValues: attributes{":one": number(1)}}},
		{Put: &types.Put{TableName: aws.String(eventTable), Item: w.item()}},
		{Delete: &types.Delete{TableName: table, Key: keys[1]}},
		{ConditionCheck: &types.ConditionCheck{TableName: table, Key: keys[2],
			ConditionExpression:       aws.String("attribute_not_exists(n) OR n < :most"),
			ExpressionAttributeValues: attributes{":most": number(900)}}},
	}})
	return err
}

func (w *worker) transactGet(ctx context.Context) error {
	request := &dynamodb.TransactGetItemsInput{}
	for _, key := range w.keys(4) {
		request.TransactItems = append(request.TransactItems,
			types.TransactGetItem{Get: &types.Get{TableName: aws.String(mainTable), Key: key}})
	}
	_, err := w.TransactGetItems(ctx, request)
	return err
}

func (w *worker) statement(ctx context.Context) error {
	request := &dynamodb.ExecuteStatementInput{}
	key := w.key()
	switch w.random.Intn(3) {
	case 0:
		request.Statement = aws.String(`SELECT * FROM "soak-main" WHERE pk = ? AND sk > ?`)
		request.Parameters = []types.AttributeValue{key["pk"], number(3)}
	case 1:
		request.Statement = aws.String(`UPDATE "soak-main" SET n = ? WHERE pk = ? AND sk = ?`)
		request.Parameters = []types.AttributeValue{number(int64(w.random.Intn(1000))), key["pk"], key["sk"]}
	default:
		request.Statement = aws.String(`INSERT INTO "soak-main" VALUE {'pk': ?, 'sk': ?, 'status': ?}`)
		request.Parameters = []types.AttributeValue{key["pk"], key["sk"], w.status()}
	}
	_, err := w.ExecuteStatement(ctx, request)
	return err
}

func (w *worker) executeTransaction(ctx context.Context) error {
	request := &dynamodb.ExecuteTransactionInput{}
	for _, key := range w.keys(2) {
		request.TransactStatements = append(request.TransactStatements, types.ParameterizedStatement{
			Statement:  aws.String(`UPDATE "soak-main" SET n = ? WHERE pk = ? AND sk = ? AND n < 990`),
			Parameters: []types.AttributeValue{number(int64(w.random.Intn(1000))), key["pk"], key["sk"]},
		})
	}
	_, err := w.ExecuteTransaction(ctx, request)
	return err
}
