// Package check decides about recorded histories. It knows nothing of servers or clients.
package check

import (
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// Never is the return time of an operation with an unknown outcome: it may still take effect at any
// moment after its call.
const Never = math.MaxInt64

// ErrUndecided is the answer when the time was not enough.
var ErrUndecided = errors.New("no decision about linearizability in the time given")

// State is an item as the single-item checker sees it. The zero value is an absent item.
type State struct {
	Exists  bool
	Version string
	Count   int
}

// Action is what an operation does to an item when its condition holds.
type Action int

const (
	Get    Action = iota
	Put           // replaces the item: Version, and a Count of 0
	Add           // adds Delta to the Count, and sets the Version unless it is empty
	Delete        // leaves no item
)

// Condition is what must hold for the action to be carried out.
type Condition int

const (
	Always Condition = iota
	Exists
	Absent
	VersionIs // the item exists with version Input.Expected
)

// Input is one operation on one item, as the client asked for it.
type Input struct {
	Key       string
	Action    Action
	Condition Condition
	Expected  string
	Version   string
	Delta     int
}

// Output is what the client learnt. Before and After are nil where the answer did not show them.
type Output struct {
	Unknown bool
	Refused bool
	Before  *State
	After   *State
}

func (in Input) holds(state State) bool {
	switch in.Condition {
	case Exists:
		return state.Exists
	case Absent:
		return !state.Exists
	case VersionIs:
		return state.Exists && state.Version == in.Expected
	default:
		return true
	}
}

func (in Input) apply(state State) State {
	switch in.Action {
	case Put:
		return State{Exists: true, Version: in.Version}
	case Add:
		next := State{Exists: true, Version: state.Version, Count: state.Count + in.Delta}
		if in.Version != "" {
			next.Version = in.Version
		}
		return next
	case Delete:
		return State{}
	default:
		return state
	}
}

// step tells whether an operation can have had this answer in this state, and the state after it.
func step(state State, in Input, out Output) (bool, State) {
	holds := in.holds(state)
	next := state
	if holds {
		next = in.apply(state)
	}
	if out.Unknown {
		return true, next
	}
	if out.Refused == holds {
		return false, state
	}
	if out.Before != nil && *out.Before != state || out.After != nil && *out.After != next {
		return false, state
	}
	return true, next
}

func itemModel() porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} { return State{} },
		Step: func(state, input, output interface{}) (bool, interface{}) {
			return step(state.(State), input.(Input), output.(Output))
		},
		DescribeOperation: func(input, output interface{}) string {
			return describe(input.(Input), output.(Output))
		},
		DescribeState: func(state interface{}) string { return state.(State).String() },
	}
}

// Linearizable checks the operations of each key on its own with Porcupine: is there one order of them,
// in agreement with real time, in which every answer is right? The error names the first key without one.
// A picture of that key's history is written to the file `picture` (HTML) unless it is "".
func Linearizable(operations []porcupine.Operation, limit time.Duration, picture string) error {
	byKey := map[string][]porcupine.Operation{}
	for _, operation := range operations {
		key := operation.Input.(Input).Key
		byKey[key] = append(byKey[key], operation)
	}
	model := itemModel()
	for key, history := range byKey {
		result, info := porcupine.CheckOperationsVerbose(model, history, limit)
		if result == porcupine.Ok {
			continue
		}
		shown := ""
		if picture != "" {
			shown = draw(model, info, picture)
		}
		if result == porcupine.Unknown {
			return fmt.Errorf("item %s, %d operations, %v%s: %w", key, len(history), limit, shown, ErrUndecided)
		}
		longest := 0
		for _, order := range info.PartialLinearizations()[0] {
			if len(order) > longest {
				longest = len(order)
			}
		}
		return fmt.Errorf("item %s: its %d operations are not linearizable; at most %d fit into one order%s",
			key, len(history), longest, shown)
	}
	return nil
}

func draw(model porcupine.Model, info porcupine.LinearizationInfo, path string) string {
	file, err := os.Create(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	if porcupine.Visualize(model, info, file) != nil {
		return ""
	}
	return "; see " + path
}

func (s State) String() string {
	if !s.Exists {
		return "absent"
	}
	return fmt.Sprintf("%s/%d", s.Version, s.Count)
}

func describe(in Input, out Output) string {
	text := [...]string{"get", "put " + in.Version, fmt.Sprintf("add %d %s", in.Delta, in.Version), "delete"}[in.Action]
	text += [...]string{"", " if exists", " if absent", " if " + in.Expected}[in.Condition]
	switch {
	case out.Unknown:
		return text + ": unknown"
	case out.Refused:
		text += ": refused"
	}
	if out.Before != nil {
		text += ", was " + out.Before.String()
	}
	if out.After != nil {
		text += ", is " + out.After.String()
	}
	return text
}
