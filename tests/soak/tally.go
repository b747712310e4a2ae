package main

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// allowed are the errors that the service gives to this traffic, too: conditions that fail and requests that
// collide. Everything else is a fault.
var allowed = map[string]bool{
	"ConditionalCheckFailedException": true,
	"TransactionConflictException":    true,
	"DuplicateItemException":          true,
}

// allowedReasons are those of a cancelled transaction.
var allowedReasons = map[string]bool{
	"None": true, "ConditionalCheckFailed": true, "TransactionConflict": true, "DuplicateItem": true,
}

// tally counts the outcomes of each operation. Its methods may be called from many goroutines at once.
type tally struct {
	mutex    sync.Mutex
	counts   map[string]map[string]int64 // operation, outcome
	faults   int64
	examples map[string]string // the first message of each kind of fault
}

func newTally() *tally {
	return &tally{counts: map[string]map[string]int64{}, examples: map[string]string{}}
}

// count records the end of a request.
func (t *tally) count(operation string, err error) {
	outcome, fault := classify(err)
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.counts[operation] == nil {
		t.counts[operation] = map[string]int64{}
	}
	t.counts[operation][outcome]++
	if fault {
		t.faults++
		if name := operation + " " + outcome; t.examples[name] == "" {
			t.examples[name] = err.Error()
		}
	}
}

// classify names the outcome and says whether it is one that must not be.
func classify(err error) (outcome string, fault bool) {
	var cancelled *types.TransactionCanceledException
	var service smithy.APIError
	switch {
	case err == nil:
		return "done", false
	case errors.As(err, &cancelled):
		reasons := map[string]bool{}
		for _, reason := range cancelled.CancellationReasons {
			code := aws.ToString(reason.Code)
			fault = fault || !allowedReasons[code]
			if code != "None" {
				reasons[code] = true
			}
		}
		return "cancelled: " + strings.Join(names(reasons), "+"), fault || len(reasons) == 0
	case errors.As(err, &service):
		return service.ErrorCode(), !allowed[service.ErrorCode()]
	default:
		return "no answer", true
	}
}

func names(set map[string]bool) []string {
	var sorted []string
	for name := range set {
		sorted = append(sorted, name)
	}
	sort.Strings(sorted)
	return sorted
}

// total is the number of requests so far.
func (t *tally) total() (requests, faults int64) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, outcomes := range t.counts {
		for _, count := range outcomes {
			requests += count
		}
	}
	return requests, t.faults
}

// print writes everything that happened.
func (t *tally) print() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var lines []string
	for operation, outcomes := range t.counts {
		for outcome, count := range outcomes {
			lines = append(lines, fmt.Sprintf("%-22s %-60s %12d", operation, outcome, count))
		}
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
	for name, message := range t.examples {
		fmt.Printf("FAULT %s, for example: %s\n", name, message)
	}
}
