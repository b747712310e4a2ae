// Mixed traffic from many connections for a long time, with the server's memory looked at. See README.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"sync"
	"time"

	"stator/history/cluster"
)

type options struct {
	binary, directory string
	minutes           float64
	connections       int
	sampleSeconds     float64
	rate              float64
}

func parseOptions() options {
	var o options
	flag.StringVar(&o.binary, "binary", "build/stator", "server to start")
	flag.StringVar(&o.directory, "directory", "", "for the data (a new one, which is removed)")
	flag.Float64Var(&o.minutes, "minutes", 60, "how long")
	flag.IntVar(&o.connections, "connections", 200, "each with one request under way")
	flag.Float64Var(&o.sampleSeconds, "sample-seconds", 10, "how often memory is looked at")
	flag.Float64Var(&o.rate, "rate", 0, "requests per second of all connections together; 0: as many as are answered")
	flag.Parse()
	return o
}

// pacer gives what a connection waits for before each request, so that all together keep to the rate.
func pacer(o options, random *rand.Rand) func() {
	if o.rate <= 0 {
		return func() {}
	}
	mean := float64(o.connections) / o.rate * float64(time.Second)
	return func() { time.Sleep(time.Duration(mean * 2 * random.Float64())) }
}

// watch samples memory until the time is over, and prints a line now and then.
func watch(server *cluster.Server, counts *tally, duration, every time.Duration) ([]sample, error) {
	var samples []sample
	begin, printed := time.Now(), time.Time{}
	for time.Since(begin) < duration {
		time.Sleep(every)
		mb, err := residentMB(server.Process())
		if err != nil {
			return samples, err
		}
		samples = append(samples, sample{time.Since(begin), mb})
		if time.Since(printed) >= duration/20 {
			printed = time.Now()
			requests, faults := counts.total()
			fmt.Printf("%8.0f s  %7.1f MB  %11d requests  %d faults\n", time.Since(begin).Seconds(), mb, requests, faults)
		}
	}
	return samples, nil
}

func run(o options) error {
	directory := o.directory
	if directory == "" {
		made, err := os.MkdirTemp("", "stator-soak-")
		if err != nil {
			return err
		}
		directory = made
		defer os.RemoveAll(made)
	}
	// A small block cache is full early, so that what grows afterwards is not the cache.
	server, err := cluster.StartServer(o.binary, directory, "--cache-mb", "64")
	if err != nil {
		return err
	}
	defer server.Stop()
	ctx := context.Background()
	control := cluster.NewClient(server.Endpoints, 0)
	if err := createTables(ctx, control); err != nil {
		return err
	}
	counts := newTally()
	duration := time.Duration(o.minutes * float64(time.Minute))
	begin := time.Now()
	goesOn := func() bool { return time.Since(begin) < duration }
	var group sync.WaitGroup
	spawn := func(work func()) {
		group.Add(1)
		go func() {
			defer group.Done()
			work()
		}()
	}
	for number := 0; number < o.connections; number++ {
		w := &worker{cluster.NewClient(server.Endpoints, 0), rand.New(rand.NewSource(int64(number))), counts}
		spawn(func() {
			pause := pacer(o, w.random)
			for goesOn() {
				pause()
				w.act(ctx)
			}
		})
	}
	spawn(func() { churn(ctx, control, counts, goesOn) })
	spawn(func() { follow(ctx, server.Endpoints, control, counts, goesOn) })
	samples, err := watch(server, counts, duration, time.Duration(o.sampleSeconds*float64(time.Second)))
	group.Wait()
	counts.print()
	if err != nil {
		return err
	}
	return judge(samples, counts, duration)
}

func judge(samples []sample, counts *tally, duration time.Duration) error {
	requests, faults := counts.total()
	settled, end, flat := growth(samples, duration)
	fmt.Printf("%d requests in %.1f minutes (%.0f per second), %d faults\n",
		requests, duration.Minutes(), float64(requests)/duration.Seconds(), faults)
	fmt.Printf("memory: first %.1f MB, settled %.1f MB, end %.1f MB\n", samples[0].mb, settled, end)
	if faults > 0 {
		return fmt.Errorf("there were errors that the service would not give")
	}
	if !flat {
		return fmt.Errorf("memory grows: %.1f MB after the caches had filled, %.1f MB at the end", settled, end)
	}
	return nil
}

func main() {
	if err := run(parseOptions()); err != nil {
		fmt.Println(err)
		fmt.Println("0 passed, 1 failed")
		os.Exit(1)
	}
	fmt.Println("1 passed, 0 failed")
}
