package check

import (
	"strings"
	"testing"
)

func reads(call, end int64, reads ...Read) Transaction {
	return Transaction{Call: call, Return: end, Reads: reads}
}

func writes(call, end int64, writes ...Write) Transaction {
	return Transaction{Call: call, Return: end, Writes: writes}
}

func saw(key string, versions ...string) Read { return Read{key, versions} }

func wrote(key, version string) Write { return Write{Key: key, Version: version} }

func when(write Write, expected string) Write {
	write.Expected = &expected
	return write
}

func unknown(t Transaction) Transaction {
	t.Unknown, t.Return = true, Never
	return t
}

func aborted(t Transaction) Transaction {
	t.Aborted = true
	return t
}

func TestStrictlySerializable(t *testing.T) {
	cases := []struct {
		name    string
		history []Transaction
		fault   string // a part of the message; "" where there is none
	}{
		{"one after the other", []Transaction{
			writes(0, 1, wrote("x", "1"), wrote("y", "1")), reads(2, 3, saw("x", "1"), saw("y", "1"))}, ""},
		{"a transaction seen by half", []Transaction{
			writes(0, 9, wrote("x", "1"), wrote("y", "1")), reads(2, 3, saw("x", "1"), saw("y")),
			reads(10, 11, saw("x", "1"), saw("y", "1"))}, "cannot be put into one order"},
		{"a stale read", []Transaction{
			writes(0, 1, wrote("x", "1")), reads(2, 3, saw("x")), reads(4, 5, saw("x", "1"))}, "had ended before"},
		{"the same read beside the write", []Transaction{
			writes(0, 4, wrote("x", "1")), reads(2, 3, saw("x")), reads(5, 6, saw("x", "1"))}, ""},
		{"two readers who see two writes in opposite orders", []Transaction{
			writes(0, 9, wrote("x", "1")), writes(0, 9, wrote("y", "2")),
			reads(1, 8, saw("x", "1"), saw("y")), reads(1, 8, saw("x"), saw("y", "2")),
			reads(10, 11, saw("x", "1"), saw("y", "2"))}, "cannot be put into one order"},
		{"write skew between two condition checks", []Transaction{
			writes(0, 9, wrote("x", "1"), when(Write{Key: "y"}, "")),
			writes(0, 9, wrote("y", "2"), when(Write{Key: "x"}, "")),
			reads(10, 11, saw("x", "1"), saw("y", "2"))}, "did not see version"},
		{"half a transaction", []Transaction{
			writes(0, 1, wrote("x", "1"), wrote("y", "1")), reads(2, 3, saw("x", "1"), saw("y"))}, "half a transaction"},
		{"half a transaction of unknown outcome", []Transaction{
			unknown(writes(0, 1, wrote("x", "1"), wrote("y", "1"))), reads(2, 3, saw("x", "1"), saw("y"))},
			"half a transaction"},
		{"an unknown outcome that was nothing", []Transaction{
			unknown(writes(0, 1, wrote("x", "1"))), reads(2, 3, saw("x"))}, ""},
		{"an unknown outcome that came late", []Transaction{
			unknown(writes(0, 1, wrote("x", "1"))), reads(2, 3, saw("x")), reads(4, 5, saw("x", "1"))}, ""},
		{"an acknowledged write that is gone", []Transaction{
			writes(0, 1, wrote("x", "1")), reads(2, 3, saw("x"))}, "lost an acknowledged write"},
		{"a refused write that is there", []Transaction{
			aborted(writes(0, 1, wrote("x", "1"))), reads(2, 3, saw("x", "1"))}, "was refused"},
		{"a write that was done twice", []Transaction{
			writes(0, 1, wrote("x", "1")), reads(2, 3, saw("x", "1", "1"))}, "written twice"},
		{"a version of nobody", []Transaction{reads(2, 3, saw("x", "1"))}, "nobody wrote"},
		{"a lost update", []Transaction{
			writes(0, 5, when(wrote("x", "1"), "")), writes(0, 5, when(wrote("x", "2"), "")),
			reads(6, 7, saw("x", "1", "2"))}, "lost update"},
		{"reads that disagree", []Transaction{
			writes(0, 9, wrote("x", "1")), writes(0, 9, wrote("x", "2")), reads(1, 2, saw("x", "2")),
			reads(10, 11, saw("x", "1", "2"))}, "reads disagree"},
		{"writes out of real time", []Transaction{
			writes(0, 1, wrote("x", "1")), writes(2, 3, wrote("x", "2")), reads(4, 5, saw("x", "2", "1"))},
			"was followed by"},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			err := StrictlySerializable(test.history)
			if test.fault == "" && err != nil {
				t.Errorf("there is no fault, but: %v", err)
			}
			if test.fault != "" && (err == nil || !strings.Contains(err.Error(), test.fault)) {
				t.Errorf("expected %q, got: %v", test.fault, err)
			}
		})
	}
}
