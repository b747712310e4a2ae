package check

import "sort"

// graph has the transactions 0..n-1 and further nodes that stand for moments in time.
type graph struct {
	transactions int
	next         [][]edge
}

// edge says that one node comes before another, and why.
type edge struct {
	from, to int
	reason   string
}

const realTime = "it had ended before the other began"

func newGraph(transactions int) *graph {
	return &graph{transactions, make([][]edge, transactions)}
}

func (g *graph) add(from, to int, reason string) {
	if from != to {
		g.next[from] = append(g.next[from], edge{from, to, reason})
	}
}

// addRealTime orders every two transactions of which one ended before the other began. An edge for each
// pair would be quadratic; instead each end of a transaction is a moment, moments are a chain, and a
// transaction follows the last moment before its call.
func addRealTime(g *graph, transactions []Transaction) {
	var ended []int
	for number, transaction := range transactions {
		if !transaction.Unknown && !transaction.Aborted {
			ended = append(ended, number)
		}
	}
	sort.Slice(ended, func(i, j int) bool { return transactions[ended[i]].Return < transactions[ended[j]].Return })
	first := len(g.next)
	for place, number := range ended {
		g.next = append(g.next, nil)
		g.add(number, first+place, realTime)
		if place > 0 {
			g.add(first+place-1, first+place, realTime)
		}
	}
	for number, transaction := range transactions {
		if transaction.Aborted {
			continue
		}
		before := sort.Search(len(ended), func(i int) bool { return transactions[ended[i]].Return >= transaction.Call })
		if before > 0 {
			g.add(first+before-1, number, realTime)
		}
	}
}

// shortestCycle gives the edges between transactions of a cycle with few of them, or nil.
func (g *graph) shortestCycle() []edge {
	component := g.components()
	members := map[int]int{}
	for node := 0; node < g.transactions; node++ {
		members[component[node]]++
	}
	var best []edge
	tried := 0
	for node := 0; node < g.transactions && tried < 200; node++ {
		if members[component[node]] < 2 {
			continue
		}
		tried++
		if cycle := g.cycleThrough(node, component); cycle != nil && (best == nil || len(cycle) < len(best)) {
			best = cycle
		}
	}
	return best
}

// cycleThrough searches in breadth inside the node's component, and leaves the moments out of the answer.
func (g *graph) cycleThrough(start int, component []int) []edge {
	cameBy := map[int]edge{}
	queue := []int{start}
	for len(queue) > 0 {
		node := queue[0]
		queue = queue[1:]
		for _, step := range g.next[node] {
			if component[step.to] != component[start] {
				continue
			}
			if _, seen := cameBy[step.to]; seen {
				continue
			}
			cameBy[step.to] = step
			if step.to == start {
				return g.withoutMoments(cameBy, start)
			}
			queue = append(queue, step.to)
		}
	}
	return nil
}

func (g *graph) withoutMoments(cameBy map[int]edge, start int) []edge {
	var path []edge
	for node, first := start, true; first || node != start; first = false {
		step := cameBy[node]
		path = append([]edge{step}, path...)
		node = step.from
	}
	var cycle []edge
	for _, step := range path {
		if step.from < g.transactions {
			cycle = append(cycle, step)
		}
	}
	return cycle
}

// components numbers the strongly connected components (Tarjan's algorithm with a stack of its own, as
// the chain of moments is as long as the history).
func (g *graph) components() []int {
	const unseen = -1
	count := len(g.next)
	index, low, component := make([]int, count), make([]int, count), make([]int, count)
	onStack := make([]bool, count)
	for node := range index {
		index[node], component[node] = unseen, unseen
	}
	var stack []int
	type frame struct{ node, edge int }
	time, found := 0, 0
	for root := 0; root < count; root++ {
		if index[root] != unseen {
			continue
		}
		frames := []frame{{root, 0}}
		for len(frames) > 0 {
			top := &frames[len(frames)-1]
			node := top.node
			if top.edge == 0 && index[node] == unseen {
				index[node], low[node] = time, time
				time++
				stack = append(stack, node)
				onStack[node] = true
			}
			if top.edge < len(g.next[node]) {
				to := g.next[node][top.edge].to
				top.edge++
				if index[to] == unseen {
					frames = append(frames, frame{to, 0})
				} else if onStack[to] && index[to] < low[node] {
					low[node] = index[to]
				}
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				if parent := frames[len(frames)-1].node; low[node] < low[parent] {
					low[parent] = low[node]
				}
			}
			if low[node] == index[node] {
				for {
					member := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					onStack[member] = false
					component[member] = found
					if member == node {
						break
					}
				}
				found++
			}
		}
	}
	return component
}
