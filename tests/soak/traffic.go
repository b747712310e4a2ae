package main

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stator/history/cluster"
)

const (
	mainTable   = "soak-main"   // two indexes and time to live
	eventTable  = "soak-events" // a stream
	partitions  = 2000
	sorts       = 10
	payloadMax  = 600
	expiryShare = 5 // of a hundred items
)

// worker is one client with one connection. It belongs to one goroutine.
type worker struct {
	*cluster.Client
	random *rand.Rand
	tally  *tally
}

// operations are the traffic, each with its share of it.
var operations = []struct {
	name  string
	share int
	run   func(*worker, context.Context) error
}{
	{"GetItem", 20, (*worker).get},
	{"PutItem", 14, (*worker).put},
	{"PutItem, conditional", 4, (*worker).putIf},
	{"UpdateItem", 10, (*worker).update},
	{"DeleteItem", 4, (*worker).delete},
	{"Query", 8, (*worker).query},
	{"Query of an index", 5, (*worker).queryIndex},
	{"Scan of a page", 2, (*worker).scan},
	{"BatchGetItem", 5, (*worker).batchGet},
	{"BatchWriteItem", 5, (*worker).batchWrite},
	{"TransactWriteItems", 6, (*worker).transactWrite},
	{"TransactGetItems", 4, (*worker).transactGet},
	{"ExecuteStatement", 5, (*worker).statement},
	{"ExecuteTransaction", 3, (*worker).executeTransaction},
	{"PutItem with a stream", 4, (*worker).event},
	{"DescribeTable", 1, (*worker).describe},
}

// act does one request, chosen by its share.
func (w *worker) act(ctx context.Context) {
	total := 0
	for _, operation := range operations {
		total += operation.share
	}
	dice := w.random.Intn(total)
	for _, operation := range operations {
		if dice -= operation.share; dice < 0 {
			w.tally.count(operation.name, operation.run(w, ctx))
			return
		}
	}
}

func text(value string) types.AttributeValue { return &types.AttributeValueMemberS{Value: value} }

func number(value int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: fmt.Sprint(value)}
}

type attributes = map[string]types.AttributeValue

func (w *worker) partition() types.AttributeValue {
	return text(fmt.Sprintf("customer-%05d", w.random.Intn(partitions)))
}

func (w *worker) key() attributes {
	return attributes{"pk": w.partition(), "sk": number(int64(w.random.Intn(sorts)))}
}

func (w *worker) status() types.AttributeValue {
	return text(fmt.Sprintf("status-%02d", w.random.Intn(50)))
}

func (w *worker) item() attributes {
	item := w.key()
	item["status"] = w.status()
	item["n"] = number(int64(w.random.Intn(1000)))
	item["payload"] = text(strings.Repeat("x", w.random.Intn(payloadMax)))
	item["tags"] = &types.AttributeValueMemberSS{Value: []string{"a", fmt.Sprint(w.random.Intn(100))}}
	item["map"] = &types.AttributeValueMemberM{Value: attributes{"list": &types.AttributeValueMemberL{
		Value: []types.AttributeValue{number(1), text("two")}}}}
	if w.random.Intn(100) < expiryShare {
		item["expires"] = number(time.Now().Unix() + int64(w.random.Intn(60)))
	}
	return item
}

// keys are distinct, as batches and transactions demand.
func (w *worker) keys(count int) []attributes {
	var keys []attributes
	partition := w.partition()
	for _, sort := range w.random.Perm(sorts)[:count] {
		keys = append(keys, attributes{"pk": partition, "sk": number(int64(sort))})
	}
	return keys
}

func (w *worker) get(ctx context.Context) error {
	_, err := w.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(mainTable), Key: w.key(),
		ConsistentRead: aws.Bool(w.random.Intn(2) == 0)})
	return err
}

func (w *worker) put(ctx context.Context) error {
	_, err := w.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(mainTable), Item: w.item()})
	return err
}

func (w *worker) putIf(ctx context.Context) error {
	_, err := w.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(mainTable), Item: w.item(),
		ConditionExpression:                 aws.String("attribute_not_exists(pk) OR n < :n"),
		ExpressionAttributeValues:           attributes{":n": number(int64(w.random.Intn(1000)))},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld})
	return err
}

func (w *worker) update(ctx context.Context) error {
	_, err := w.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String(mainTable), Key: w.key(),
		UpdateExpression:          aws.String("SET #s = :s, seen = if_not_exists(seen, :one) ADD n :one REMOVE payload"),
		ExpressionAttributeNames:  map[string]string{"#s": "status"},
		ExpressionAttributeValues: attributes{":s": w.status(), ":one": number(1)},
		ReturnValues:              types.ReturnValueAllNew})
	return err
}

func (w *worker) delete(ctx context.Context) error {
	_, err := w.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String(mainTable), Key: w.key(),
		ReturnValues: types.ReturnValueAllOld})
	return err
}

func (w *worker) query(ctx context.Context) error {
	_, err := w.Query(ctx, &dynamodb.QueryInput{TableName: aws.String(mainTable),
		KeyConditionExpression: aws.String("pk = :p AND sk BETWEEN :low AND :high"),
		FilterExpression:       aws.String("attribute_exists(n) AND n > :least"),
		ExpressionAttributeValues: attributes{
			":p": w.partition(), ":low": number(2), ":high": number(8), ":least": number(100)}})
	return err
}

func (w *worker) queryIndex(ctx context.Context) error {
	_, err := w.Query(ctx, &dynamodb.QueryInput{TableName: aws.String(mainTable), IndexName: aws.String("by-status"),
		KeyConditionExpression:    aws.String("#s = :s"),
		ExpressionAttributeNames:  map[string]string{"#s": "status"},
		ExpressionAttributeValues: attributes{":s": w.status()}, Limit: aws.Int32(20)})
	return err
}

func (w *worker) scan(ctx context.Context) error {
	_, err := w.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String(mainTable), Limit: aws.Int32(50),
		Segment: aws.Int32(int32(w.random.Intn(16))), TotalSegments: aws.Int32(16)})
	return err
}

func (w *worker) describe(ctx context.Context) error {
	_, err := w.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(mainTable)})
	return err
}

func (w *worker) event(ctx context.Context) error {
	item := w.item()
	delete(item, "expires")
	_, err := w.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(eventTable), Item: item})
	return err
}
