package cluster

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

func TestClassify(t *testing.T) {
	refusedConnection := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	cases := []struct {
		name    string
		err     error
		outcome Outcome
	}{
		{"success", nil, Done},
		{"a failed condition", &types.ConditionalCheckFailedException{}, Refused},
		{"a cancelled transaction", &types.TransactionCanceledException{}, Refused},
		{"a plain write that met a transaction", &types.TransactionConflictException{}, NotApplied},
		{"the first attempt is still under way", &types.TransactionInProgressException{}, Unknown},
		{"no server", fmt.Errorf("operation error: %w", refusedConnection), NotApplied},
		{"a connection lost after sending", fmt.Errorf("operation error: %w", io.ErrUnexpectedEOF), Unknown},
		{"a reset", &net.OpError{Op: "read", Err: syscall.ECONNRESET}, Unknown},
		{"a time-out", errors.New("Client.Timeout exceeded"), Unknown},
		{"an internal error", &types.InternalServerError{}, Wrong},
		{"a validation error", &smithy.GenericAPIError{Code: "ValidationException"}, Wrong},
	}
	client := NewClient(NewEndpoints("http://127.0.0.1:1"), 0)
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			if outcome := client.Classify(test.err); outcome != test.outcome {
				t.Errorf("%v, not %v", outcome, test.outcome)
			}
		})
	}
}

func TestClientsGoToTheNextNodeWhenOneIsAway(t *testing.T) {
	client := NewClient(NewEndpoints("http://first", "http://second"), 0)
	client.Classify(&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED})
	if url := client.endpoints.URL(int(client.node.Load())); url != "http://second" {
		t.Errorf("still at %s", url)
	}
}
