package main

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

func cancelled(codes ...string) error {
	failure := &types.TransactionCanceledException{}
	for _, code := range codes {
		failure.CancellationReasons = append(failure.CancellationReasons, types.CancellationReason{Code: aws.String(code)})
	}
	return failure
}

func TestClassify(t *testing.T) {
	cases := []struct {
		name    string
		err     error
		outcome string
		fault   bool
	}{
		{"success", nil, "done", false},
		{"a failed condition", &types.ConditionalCheckFailedException{}, "ConditionalCheckFailedException", false},
		{"a conflict", cancelled("None", "TransactionConflict"), "cancelled: TransactionConflict", false},
		{"two reasons", cancelled("TransactionConflict", "ConditionalCheckFailed"),
			"cancelled: ConditionalCheckFailed+TransactionConflict", false},
		{"an unexpected reason", cancelled("None", "ValidationError"), "cancelled: ValidationError", true},
		{"cancelled for no reason", cancelled("None", "None"), "cancelled: ", true},
		{"an internal error", &types.InternalServerError{}, "InternalServerError", true},
		{"a validation error", &smithy.GenericAPIError{Code: "ValidationException"}, "ValidationException", true},
		{"no connection", errors.New("connection reset by peer"), "no answer", true},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			if outcome, fault := classify(test.err); outcome != test.outcome || fault != test.fault {
				t.Errorf("%q, fault %v; expected %q, fault %v", outcome, fault, test.outcome, test.fault)
			}
		})
	}
}

func TestGrowth(t *testing.T) {
	const duration = 100 * time.Second
	memory := func(at func(second int) float64) (samples []sample) {
		for second := 1; second <= 100; second++ {
			samples = append(samples, sample{time.Duration(second) * time.Second, at(second)})
		}
		return samples
	}
	cases := []struct {
		name string
		at   func(second int) float64
		flat bool
	}{
		{"constant", func(int) float64 { return 200 }, true},
		{"caches that fill in the first quarter", func(second int) float64 {
			if second < 25 {
				return float64(8 * second)
			}
			return 200
		}, true},
		{"a saw of write buffers", func(second int) float64 { return 150 + float64(second%10)*5 }, true},
		{"a leak", func(second int) float64 { return 100 + 3*float64(second) }, false},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			if settled, end, flat := growth(memory(test.at), duration); flat != test.flat {
				t.Errorf("from %.0f to %.0f MB: flat is %v", settled, end, flat)
			}
		})
	}
}
