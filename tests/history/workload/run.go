// Package workload lets many clients loose on a few hot items, records what they did and learnt, and
// gives the record to the checkers.
package workload

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stator/history/check"
	"stator/history/cluster"
)

// Run says how a workload is to be run. It ends after Operations where that is not 0, else after Duration.
type Run struct {
	Endpoints  *cluster.Endpoints
	Clients    int
	Keys       int
	Duration   time.Duration
	Operations int
	Seed       int64
	// Crash, where not nil, disturbs the servers; it is called in the middle of the run.
	Crash func() error
	// Directory is for pictures of what went wrong.
	Directory string
	// CheckLimit is how long a checker that may take for ever is given.
	CheckLimit time.Duration
}

// Workload is a test: it returns how much it did and what was wrong.
type Workload struct {
	Name string
	Run  func(Run) (Report, error)
}

// All are the workloads in the order in which they are run.
var All = []Workload{{"single", Single}, {"append", Append}, {"bank", Bank}}

// Report is what a run was made of. Requests that found no server are not counted.
type Report struct {
	Done, Refused, Conflicts, Unknown, Crashes int64
}

func (r Report) String() string {
	return fmt.Sprintf("%d requests done, %d refused by a condition, %d by a conflict, %d of unknown outcome, %d crashes",
		r.Done, r.Refused, r.Conflicts, r.Unknown, r.Crashes)
}

// WrongAnswer is an answer that a correct server does not give to these requests, whatever is stored. The
// checkers had no part in finding it.
type WrongAnswer struct{ Err error }

func (w WrongAnswer) Error() string { return "an answer that must not be: " + w.Err.Error() }

// A run with fewer requests carried out says nothing. On a busy machine conflicts take up more of it, so it goes on until then, within
// a bound.
const (
	doneMin   = 200
	busyLimit = time.Minute
)

// session is one client of a running workload. It belongs to one goroutine.
type session struct {
	*cluster.Client
	number  int
	random  *rand.Rand
	made    int
	running *running
}

// running is shared by the sessions of a run.
type running struct {
	Run
	table   string
	begin   time.Time
	left    int64 // operations that may still be begun
	report  Report
	mutex   sync.Mutex
	wrong   error
	context context.Context
}

var tables int64

// start makes a new table, so that a run never sees what another left behind.
func (r Run) start(name string) (*running, error) {
	state := &running{Run: r, begin: time.Now(), left: int64(r.Operations), context: context.Background()}
	state.table = fmt.Sprintf("history-%s-%d-%d", name, time.Now().UnixNano(), atomic.AddInt64(&tables, 1))
	return state, cluster.NewClient(r.Endpoints, 0).CreateTable(state.context, state.table)
}

// everybody calls act again and again in each session until the run is over.
func (r *running) everybody(act func(*session)) error {
	var group sync.WaitGroup
	for number := 0; number < r.Clients; number++ {
		group.Add(1)
		go func(s *session) {
			defer group.Done()
			for r.goesOn() {
				act(s)
			}
		}(r.session(number))
	}
	var crashed error
	if r.Crash != nil {
		time.Sleep(r.Duration / 2)
		crashed = r.Crash()
		r.report.Crashes++
	}
	group.Wait()
	if crashed != nil {
		return crashed
	}
	if r.wrong == nil && r.report.Done < doneMin {
		return fmt.Errorf("too little was carried out to say anything: %s", r.report.String())
	}
	return r.wrong
}

func (r *running) session(number int) *session {
	return &session{
		Client:  cluster.NewClient(r.Endpoints, number),
		number:  number,
		random:  rand.New(rand.NewSource(r.Seed*1000 + int64(number))),
		running: r,
	}
}

func (r *running) goesOn() bool {
	r.mutex.Lock()
	wrong := r.wrong
	r.mutex.Unlock()
	if wrong != nil {
		return false
	}
	over := time.Since(r.begin) >= r.Duration
	if r.Operations > 0 {
		over = atomic.AddInt64(&r.left, -1) < 0
	}
	return !over || atomic.LoadInt64(&r.report.Done) < doneMin && time.Since(r.begin) < busyLimit
}

// now is the clock of the history.
func (r *running) now() int64 { return int64(time.Since(r.begin)) }

// outcome classifies, counts, and ends the run at an answer that must not be.
func (s *session) outcome(err error) cluster.Outcome {
	outcome := s.Classify(err)
	report := &s.running.report
	switch {
	case outcome == cluster.Done:
		atomic.AddInt64(&report.Done, 1)
	case conflicts(err):
		atomic.AddInt64(&report.Conflicts, 1)
	case outcome == cluster.Refused:
		atomic.AddInt64(&report.Refused, 1)
	case outcome == cluster.Unknown:
		atomic.AddInt64(&report.Unknown, 1)
	case outcome == cluster.Wrong:
		s.running.fail(WrongAnswer{err})
	}
	return outcome
}

func (r *running) fail(err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.wrong == nil {
		r.wrong = err
	}
}

// version is a new name that no other write of the run has.
func (s *session) version() string {
	s.made++
	return fmt.Sprintf("%d.%d", s.number, s.made)
}

// chance is true in so many of a hundred cases.
func (s *session) chance(percent int) bool { return s.random.Intn(100) < percent }

func (s *session) table() *string { return aws.String(s.running.table) }

// some are distinct keys, in random order.
func (s *session) some(count int) []string {
	var keys []string
	for _, number := range s.random.Perm(s.running.Keys)[:count] {
		keys = append(keys, keyName(number))
	}
	return keys
}

func keyName(number int) string { return fmt.Sprintf("item-%d", number) }

func keyOf(key string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"pk": text(key)}
}

func text(value string) types.AttributeValue { return &types.AttributeValueMemberS{Value: value} }

func number(value int) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: fmt.Sprint(value)}
}

// returnTime is the end of an operation for the checkers.
func returnTime(outcome cluster.Outcome, now int64) int64 {
	if outcome == cluster.Unknown {
		return check.Never
	}
	return now
}

// insist repeats a call until the servers answer it; for the reads at the end of a run.
func (s *session) insist(call func() error) error {
	deadline := time.Now().Add(time.Minute)
	for {
		err := call()
		switch outcome := s.Classify(err); {
		case outcome == cluster.Done:
			return nil
		case outcome == cluster.Wrong || time.Now().After(deadline):
			return err
		case outcome == cluster.Refused && !conflicts(err):
			return err
		}
	}
}

// conflicts tells whether a request was refused because of another one.
func conflicts(err error) bool {
	var conflict *types.TransactionConflictException
	if errors.As(err, &conflict) {
		return true
	}
	for _, reason := range cluster.Reasons(err) {
		if strings.HasPrefix(aws.ToString(reason.Code), "TransactionConflict") {
			return true
		}
	}
	return false
}
