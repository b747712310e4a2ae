package check

import (
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

func operation(call, end int64, in Input, out Output) porcupine.Operation {
	in.Key = "a"
	return porcupine.Operation{Input: in, Call: call, Output: out, Return: end}
}

func TestLinearizable(t *testing.T) {
	var (
		absent   = &State{}
		one      = &State{Exists: true, Version: "one"}
		two      = &State{Exists: true, Version: "two"}
		putOne   = Input{Action: Put, Version: "one"}
		putTwo   = Input{Action: Put, Version: "two"}
		twoIfOne = Input{Action: Put, Version: "two", Condition: VersionIs, Expected: "one"}
		get      = Input{Action: Get}
		add      = Input{Action: Add, Delta: 1}
		counted  = func(count int) *State { return &State{Exists: true, Count: count} }
	)
	cases := []struct {
		name    string
		history []porcupine.Operation
		fault   bool
	}{
		{"a read sees the write before it", []porcupine.Operation{
			operation(0, 1, putOne, Output{Before: absent}), operation(2, 3, get, Output{Before: one})}, false},
		{"a stale read", []porcupine.Operation{
			operation(0, 1, putOne, Output{}), operation(2, 3, get, Output{Before: absent})}, true},
		{"a read beside a write may see either", []porcupine.Operation{
			operation(0, 9, putOne, Output{}), operation(1, 2, get, Output{Before: absent}),
			operation(3, 4, get, Output{Before: one})}, false},
		{"a new value does not become old again", []porcupine.Operation{
			operation(0, 9, putOne, Output{}), operation(1, 2, get, Output{Before: one}),
			operation(3, 4, get, Output{Before: absent})}, true},
		{"two writers of one version cannot both win", []porcupine.Operation{
			operation(0, 1, putOne, Output{}), operation(2, 5, twoIfOne, Output{}), operation(3, 6, twoIfOne, Output{})}, true},
		{"a refusal without reason", []porcupine.Operation{
			operation(0, 1, putOne, Output{}), operation(2, 5, twoIfOne, Output{Refused: true})}, true},
		{"a refusal shows the item", []porcupine.Operation{
			operation(0, 1, putTwo, Output{}), operation(2, 5, twoIfOne, Output{Refused: true, Before: two})}, false},
		{"a lost increment", []porcupine.Operation{
			operation(0, 5, add, Output{After: counted(1)}), operation(1, 6, add, Output{After: counted(1)})}, true},
		{"a write of unknown outcome may appear late", []porcupine.Operation{
			operation(0, Never, putOne, Output{Unknown: true}), operation(1, 2, get, Output{Before: absent}),
			operation(3, 4, get, Output{Before: one})}, false},
		{"and may never appear", []porcupine.Operation{
			operation(0, Never, putOne, Output{Unknown: true}), operation(1, 2, get, Output{Before: absent})}, false},
		{"but does not come and go", []porcupine.Operation{
			operation(0, Never, putOne, Output{Unknown: true}), operation(1, 2, get, Output{Before: one}),
			operation(3, 4, get, Output{Before: absent})}, true},
		{"a delete leaves nothing", []porcupine.Operation{
			operation(0, 1, putOne, Output{}), operation(2, 3, Input{Action: Delete}, Output{Before: one}),
			operation(4, 5, get, Output{Before: one})}, true},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			err := Linearizable(test.history, time.Minute, "")
			if (err != nil) != test.fault {
				t.Errorf("fault expected: %v; found: %v", test.fault, err)
			}
			if err != nil && !strings.Contains(err.Error(), "not linearizable") {
				t.Errorf("undecided: %v", err)
			}
		})
	}
}
