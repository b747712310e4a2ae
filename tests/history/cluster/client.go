package cluster

import (
	"context"
	"errors"
	"net"
	"net/url"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyendpoints "github.com/aws/smithy-go/endpoints"
)

// Region and the keys are what the clients sign with.
const (
	Region    = "us-east-1"
	AccessKey = "historykey"
	SecretKey = "historysecret"
)

const requestTimeout = 10 * time.Second

// Outcome is what a client knows about a request when its call has returned.
type Outcome int

const (
	// Done: it was carried out.
	Done Outcome = iota
	// Refused: a condition did not hold, and nothing was changed. For a transaction: it was cancelled.
	Refused
	// NotApplied: nothing was changed, and nothing was learnt either (a conflict, no connection).
	NotApplied
	// Unknown: it may have been carried out, or may be at any later time (the connection was lost).
	Unknown
	// Wrong: an answer that a correct server does not give to these requests.
	Wrong
)

// Client is an SDK client of one of the nodes; it goes to the next one where it cannot connect.
// Requests are sent once: a retry inside the SDK would hide what happened.
type Client struct {
	*dynamodb.Client
	endpoints *Endpoints
	node      atomic.Int64
}

// NewClient makes a client that begins with the given node.
func NewClient(endpoints *Endpoints, node int) *Client {
	client := &Client{endpoints: endpoints}
	client.node.Store(int64(node))
	client.Client = dynamodb.New(dynamodb.Options{
		Region:             Region,
		EndpointResolverV2: client,
		Retryer:            aws.NopRetryer{},
		HTTPClient:         NewHTTPClient(),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: AccessKey, SecretAccessKey: SecretKey}, nil
		}),
	})
	return client
}

// ResolveEndpoint is how the SDK asks for the address of a request.
func (c *Client) ResolveEndpoint(context.Context, dynamodb.EndpointParameters) (smithyendpoints.Endpoint, error) {
	address, err := url.Parse(c.endpoints.URL(int(c.node.Load())))
	if err != nil {
		return smithyendpoints.Endpoint{}, err
	}
	return smithyendpoints.Endpoint{URI: *address}, nil
}

// Classify says what is known after a call that returned err.
func (c *Client) Classify(err error) Outcome {
	var (
		condition *types.ConditionalCheckFailedException
		cancelled *types.TransactionCanceledException
		conflict  *types.TransactionConflictException
		running   *types.TransactionInProgressException
		service   smithy.APIError
		dial      *net.OpError
	)
	switch {
	case err == nil:
		return Done
	case errors.As(err, &condition), errors.As(err, &cancelled):
		return Refused
	case errors.As(err, &conflict):
		return NotApplied
	case errors.As(err, &running):
		return Unknown
	case errors.As(err, &service):
		return Wrong
	case errors.As(err, &dial) && dial.Op == "dial" || errors.Is(err, syscall.ECONNREFUSED):
		// The node is away. Wait a little: it may come back, and there may be no other.
		c.node.Add(1)
		time.Sleep(5 * time.Millisecond)
		return NotApplied
	default:
		return Unknown
	}
}

// Reasons are the codes and items of a cancelled transaction, one for each of its actions.
func Reasons(err error) []types.CancellationReason {
	var cancelled *types.TransactionCanceledException
	if errors.As(err, &cancelled) {
		return cancelled.CancellationReasons
	}
	return nil
}

// CreateTable makes a table with the partition key "pk" and waits until it is ready.
func (c *Client) CreateTable(ctx context.Context, name string) error {
	_, err := c.Client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:   aws.String(name),
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
		},
	})
	if err != nil {
		return err
	}
	waiter := dynamodb.NewTableExistsWaiter(c.Client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 20*time.Millisecond, 200*time.Millisecond
	})
	return waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(name)}, time.Minute)
}
