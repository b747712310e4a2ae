package check

import (
	"fmt"
	"strings"
)

// Transaction is one transaction of the append workload, or a single-item operation, which is a
// transaction of one item. Every item holds the list of the version ids that were appended to it, so
// one read shows the whole order of versions up to it.
type Transaction struct {
	Client       int
	Call, Return int64 // Return is Never where the outcome is unknown
	Unknown      bool  // it may or may not have been carried out
	Aborted      bool  // it was certainly not carried out
	Reads        []Read
	Writes       []Write
}

// Read is an item as a transaction saw it: all versions, oldest first.
type Read struct {
	Key      string
	Versions []string
}

// Write appended a version. Expected, where not nil, is the version that the write's condition demanded
// ("" for an item without versions). A condition check has an Expected and no Version.
type Write struct {
	Key      string
	Version  string
	Expected *string
}

// versionOrder is the order of all versions of each key, with the places of each.
type versionOrder struct {
	versions map[string][]string
	place    map[string]map[string]int
}

// StrictlySerializable checks that there is one order of all transactions, in agreement with real time,
// in which every read is right. The history must end with reads that show every key's last state.
// The error is the first contradiction found; a cycle is shown with the reason for each of its edges.
func StrictlySerializable(transactions []Transaction) error {
	order, err := orderVersions(transactions)
	if err != nil {
		return err
	}
	writers, err := findWriters(transactions, order)
	if err != nil {
		return err
	}
	graph := newGraph(len(transactions))
	for number := range transactions {
		if err := addDependencies(graph, transactions, number, order, writers); err != nil {
			return err
		}
	}
	addRealTime(graph, transactions)
	cycle := graph.shortestCycle()
	if cycle == nil {
		return nil
	}
	lines := []string{"these transactions cannot be put into one order:"}
	for _, edge := range cycle {
		lines = append(lines, fmt.Sprintf("  %s\n    must come before the next: %s",
			transactions[edge.from].String(), edge.reason))
	}
	return fmt.Errorf("%s", strings.Join(lines, "\n"))
}

// orderVersions takes the longest read of each key as its order: every other read must be its beginning.
func orderVersions(transactions []Transaction) (versionOrder, error) {
	order := versionOrder{map[string][]string{}, map[string]map[string]int{}}
	for _, transaction := range transactions {
		for _, read := range transaction.Reads {
			if len(read.Versions) > len(order.versions[read.Key]) {
				order.versions[read.Key] = read.Versions
			}
		}
	}
	for key, versions := range order.versions {
		order.place[key] = map[string]int{}
		for place, version := range versions {
			if earlier, doubled := order.place[key][version]; doubled {
				return order, fmt.Errorf("item %s: version %s was written twice, as number %d and %d",
					key, version, earlier, place)
			}
			order.place[key][version] = place
		}
	}
	for _, transaction := range transactions {
		for _, read := range transaction.Reads {
			for place, version := range read.Versions {
				if order.versions[read.Key][place] != version {
					return order, fmt.Errorf("item %s: reads disagree about the order: number %d is %s, and for %s it is %s",
						read.Key, place, order.versions[read.Key][place], transaction.String(), version)
				}
			}
		}
	}
	return order, nil
}

// findWriters maps key and version to its transaction, and checks that what was written is there, whole,
// and that nothing else is.
func findWriters(transactions []Transaction, order versionOrder) (map[string]map[string]int, error) {
	writers := map[string]map[string]int{}
	for number, transaction := range transactions {
		found, missing := "", ""
		for _, write := range transaction.Writes {
			if write.Version == "" {
				continue
			}
			if _, there := order.place[write.Key][write.Version]; there {
				found = write.Key
			} else {
				missing = write.Key
			}
			if writers[write.Key] == nil {
				writers[write.Key] = map[string]int{}
			}
			writers[write.Key][write.Version] = number
		}
		switch {
		case transaction.Aborted && found != "":
			return nil, fmt.Errorf("item %s has a version of a transaction that was refused: %s", found, transaction.String())
		case found != "" && missing != "":
			return nil, fmt.Errorf("half a transaction: item %s has its version and item %s has not: %s",
				found, missing, transaction.String())
		case missing != "" && !transaction.Unknown && !transaction.Aborted:
			return nil, fmt.Errorf("item %s lost an acknowledged write: %s", missing, transaction.String())
		}
	}
	for key, versions := range order.versions {
		for _, version := range versions {
			if _, known := writers[key][version]; !known {
				return nil, fmt.Errorf("item %s has version %s, which nobody wrote", key, version)
			}
		}
	}
	return writers, nil
}

// addDependencies adds the edges that follow from what one transaction read and wrote.
func addDependencies(graph *graph, transactions []Transaction, number int, order versionOrder,
	writers map[string]map[string]int) error {
	transaction := transactions[number]
	if transaction.Aborted || transaction.Unknown && !visible(transaction, order) {
		return nil
	}
	// A transaction saw the first `length` versions of a key, and not the next one.
	saw := func(key string, length int) {
		if length > 0 {
			version := order.versions[key][length-1]
			graph.add(writers[key][version], number, fmt.Sprintf("its version %s of %s was read", version, key))
		}
		if length < len(order.versions[key]) {
			version := order.versions[key][length]
			graph.add(number, writers[key][version], fmt.Sprintf("it did not see version %s of %s", version, key))
		}
	}
	for _, read := range transaction.Reads {
		saw(read.Key, len(read.Versions))
	}
	for _, write := range transaction.Writes {
		place := order.place[write.Key][write.Version]
		before := ""
		if write.Version != "" && place > 0 {
			before = order.versions[write.Key][place-1]
			graph.add(writers[write.Key][before], number,
				fmt.Sprintf("its version %s of %s was followed by %s", before, write.Key, write.Version))
		}
		if write.Expected == nil {
			continue
		}
		if write.Version != "" {
			if before != *write.Expected {
				return fmt.Errorf("lost update: item %s went from version %q to %s, and the condition demanded %q: %s",
					write.Key, before, write.Version, *write.Expected, transaction.String())
			}
			continue
		}
		if *write.Expected == "" {
			saw(write.Key, 0)
		} else if place, there := order.place[write.Key][*write.Expected]; there {
			saw(write.Key, place+1)
		} else {
			return fmt.Errorf("a condition held on version %s of %s, which does not exist: %s",
				*write.Expected, write.Key, transaction.String())
		}
	}
	return nil
}

// visible tells whether a transaction with an unknown outcome was carried out.
func visible(transaction Transaction, order versionOrder) bool {
	for _, write := range transaction.Writes {
		if _, there := order.place[write.Key][write.Version]; there && write.Version != "" {
			return true
		}
	}
	return false
}

func (t Transaction) String() string {
	var parts []string
	for _, read := range t.Reads {
		last := "nothing"
		if len(read.Versions) > 0 {
			last = read.Versions[len(read.Versions)-1]
		}
		parts = append(parts, fmt.Sprintf("read %s as %s", read.Key, last))
	}
	for _, write := range t.Writes {
		part := "append " + write.Version + " to " + write.Key
		if write.Version == "" {
			part = "check " + write.Key
		}
		if write.Expected != nil {
			part += fmt.Sprintf(" if %q", *write.Expected)
		}
		parts = append(parts, part)
	}
	end := fmt.Sprintf("%.3f ms", float64(t.Return)/1e6)
	if t.Return == Never {
		end = "unknown"
	}
	return fmt.Sprintf("client %d, %.3f ms to %s: %s", t.Client, float64(t.Call)/1e6, end, strings.Join(parts, ", "))
}
