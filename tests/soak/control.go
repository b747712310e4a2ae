package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"stator/history/cluster"
)

func index(name, hash string) types.GlobalSecondaryIndex {
	return types.GlobalSecondaryIndex{IndexName: aws.String(name),
		KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String(hash), KeyType: types.KeyTypeHash}},
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}
}

func definition(name string) *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest,
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}},
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeN}},
	}
}

// createTables makes what the traffic needs.
func createTables(ctx context.Context, client *cluster.Client) error {
	table := definition(mainTable)
	table.AttributeDefinitions = append(table.AttributeDefinitions,
		types.AttributeDefinition{AttributeName: aws.String("status"), AttributeType: types.ScalarAttributeTypeS},
		types.AttributeDefinition{AttributeName: aws.String("n"), AttributeType: types.ScalarAttributeTypeN})
	table.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{index("by-status", "status"), index("by-n", "n")}
	events := definition(eventTable)
	events.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true),
		StreamViewType: types.StreamViewTypeNewAndOldImages}
	for _, wanted := range []*dynamodb.CreateTableInput{table, events} {
		if err := createAndWait(ctx, client, wanted); err != nil {
			return err
		}
	}
	_, err := client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: aws.String(mainTable),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			Enabled: aws.Bool(true), AttributeName: aws.String("expires")}})
	return err
}

func createAndWait(ctx context.Context, client *cluster.Client, wanted *dynamodb.CreateTableInput) error {
	if _, err := client.Client.CreateTable(ctx, wanted); err != nil {
		return err
	}
	waiter := dynamodb.NewTableExistsWaiter(client.Client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 20*time.Millisecond, 200*time.Millisecond
	})
	return waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: wanted.TableName}, time.Minute)
}

// churn makes and drops tables, with an index added in between, until the time is over.
func churn(ctx context.Context, client *cluster.Client, counts *tally, goesOn func() bool) {
	for round := 0; goesOn(); round++ {
		name := fmt.Sprintf("soak-passing-%d", round)
		counts.count("CreateTable", createAndWait(ctx, client, definition(name)))
		for sort := int64(0); sort < 50; sort++ {
			item := attributes{"pk": text("a"), "sk": number(sort), "status": text("x")}
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(name), Item: item})
			counts.count("PutItem, new table", err)
		}
		added := index("by-status", "status")
		_, err := client.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: aws.String(name),
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("status"), AttributeType: types.ScalarAttributeTypeS}},
			GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{
				Create: &types.CreateGlobalSecondaryIndexAction{IndexName: added.IndexName, KeySchema: added.KeySchema,
					Projection: added.Projection}}}})
		counts.count("UpdateTable, new index", err)
		time.Sleep(2 * time.Second)
		_, err = client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String(name)})
		var busy *types.ResourceInUseException
		for tries := 0; errors.As(err, &busy) && tries < 100; tries++ { // the index is still being built
			time.Sleep(100 * time.Millisecond)
			_, err = client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String(name)})
		}
		counts.count("DeleteTable", err)
	}
}

// follow reads the stream of the event table as a consumer does, until the time is over.
func follow(ctx context.Context, endpoints *cluster.Endpoints, client *cluster.Client, counts *tally,
	goesOn func() bool) {
	streams := dynamodbstreams.New(dynamodbstreams.Options{Region: cluster.Region, Retryer: aws.NopRetryer{},
		BaseEndpoint: aws.String(endpoints.URL(0)), HTTPClient: cluster.NewHTTPClient(),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: cluster.AccessKey, SecretAccessKey: cluster.SecretKey}, nil
		})})
	table, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(eventTable)})
	if err != nil {
		counts.count("DescribeTable", err)
		return
	}
	arn := table.Table.LatestStreamArn
	iterators := map[string]*string{}
	for goesOn() {
		description, err := streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
		counts.count("DescribeStream", err)
		if err != nil {
			return
		}
		for _, shard := range description.StreamDescription.Shards {
			iterator, known := iterators[*shard.ShardId]
			if !known {
				begin, err := streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{StreamArn: arn,
					ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon})
				counts.count("GetShardIterator", err)
				if err != nil {
					return
				}
				iterator = begin.ShardIterator
			}
			for pages := 0; iterator != nil && pages < 100; pages++ {
				page, err := streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: iterator})
				counts.count("GetRecords", err)
				if err != nil {
					return
				}
				iterator = page.NextShardIterator
				if len(page.Records) == 0 {
					break
				}
			}
			iterators[*shard.ShardId] = iterator
		}
		time.Sleep(200 * time.Millisecond)
	}
}
