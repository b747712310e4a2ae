// Records histories of concurrent clients and checks them. See README.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"stator/history/check"
	"stator/history/cluster"
	"stator/history/fault"
	"stator/history/workload"
)

// options are the command line.
type options struct {
	binary, endpoints, crashCommand, only, directory string
	duration                                         time.Duration
	rounds, clients, keys                            int
	seed                                             int64
	faults                                           bool
}

func parseOptions() options {
	var o options
	flag.StringVar(&o.binary, "binary", "build/stator", "server to start, and to kill with -9 in each round")
	flag.StringVar(&o.endpoints, "endpoints", "", "addresses of running nodes, with commas, instead of our own server")
	flag.StringVar(&o.crashCommand, "crash-command", "",
		"with -endpoints: shell command that disturbs the nodes in the middle of each round, such as killing one")
	flag.StringVar(&o.only, "only", "", "some of single,append,bank (all)")
	flag.StringVar(&o.directory, "directory", "", "for data and pictures (a new one, which is removed after success)")
	flag.DurationVar(&o.duration, "duration", 4*time.Second, "of each round of each workload")
	flag.IntVar(&o.rounds, "rounds", 1, "how often each workload is run")
	flag.IntVar(&o.clients, "clients", 12, "concurrent clients")
	flag.IntVar(&o.keys, "keys", 4, "items that they share")
	flag.Int64Var(&o.seed, "seed", 1, "of the choices that clients make")
	flag.BoolVar(&o.faults, "faults", true, "show that seeded bugs are found")
	flag.Parse()
	return o
}

// suite counts results.
type suite struct {
	options
	endpoints *cluster.Endpoints
	crash     func() error
	passed    int
	failed    int
}

func (s *suite) result(name string, err error, more string) {
	if err == nil {
		s.passed++
		fmt.Printf("PASSED %s: %s\n", name, more)
		return
	}
	s.failed++
	fmt.Printf("FAILED %s: %s\n%v\n", name, more, err)
}

func (s *suite) wanted(name string) bool {
	return s.only == "" || strings.Contains(","+s.only+",", ","+name+",")
}

// plan is a run without faults: as long as the options say.
func (s *suite) plan(round int) workload.Run {
	return workload.Run{Endpoints: s.endpoints, Clients: s.clients, Keys: s.keys, Duration: s.duration,
		Seed: s.seed + int64(round), Crash: s.crash, Directory: s.directory, CheckLimit: 2 * time.Minute}
}

func (s *suite) runWorkloads() {
	for round := 0; round < s.rounds; round++ {
		for _, test := range workload.All {
			if s.wanted(test.Name) {
				report, err := test.Run(s.plan(round))
				s.result(fmt.Sprintf("%s, round %d", test.Name, round), err, report.String())
			}
		}
	}
}

// runFaults puts a faulty proxy before a server and demands that each of its workloads finds the fault.
func (s *suite) runFaults() {
	for _, test := range workload.All {
		if s.wanted(test.Name) {
			err := s.through(fault.None, test)
			s.result(test.Name+" through a proxy without a fault", err, "nothing found")
		}
	}
	for _, bug := range fault.All {
		for _, name := range bug.FoundBy {
			for _, test := range workload.All {
				if test.Name != name || !s.wanted(name) {
					continue
				}
				s.demand(bug, test)
			}
		}
	}
}

// demand passes when the fault was found by what is stored and read. A wrong answer is no finding.
func (s *suite) demand(bug fault.Fault, test workload.Workload) {
	title := fmt.Sprintf("%s finds %s (%s)", test.Name, bug.Name, bug.Bug)
	found := s.through(bug, test)
	var wrong workload.WrongAnswer
	switch {
	case found == nil:
		s.result(title, fmt.Errorf("the seeded bug was not found"), "")
	case errors.As(found, &wrong), errors.Is(found, check.ErrUndecided):
		s.result(title, found, "")
	default:
		s.result(title, nil, strings.SplitN(found.Error(), "\n", 2)[0])
	}
}

func (s *suite) through(bug fault.Fault, test workload.Workload) error {
	proxy, err := fault.NewProxy(s.endpoints, bug, s.seed)
	if err != nil {
		return err
	}
	defer proxy.Close()
	run := s.plan(0)
	run.Endpoints, run.Crash, run.Operations = cluster.NewEndpoints(proxy.URL), nil, 1500
	run.CheckLimit, run.Directory = 20*time.Second, os.DevNull
	_, err = test.Run(run)
	return err
}

// connect finds or starts the servers.
func (s *suite) connect() (stop func(), err error) {
	if s.options.endpoints != "" {
		s.endpoints = cluster.NewEndpoints(strings.Split(s.options.endpoints, ",")...)
		if s.crashCommand != "" {
			s.crash = func() error { return exec.Command("sh", "-c", s.crashCommand).Run() }
		}
		return func() {}, nil
	}
	server, err := cluster.StartServer(s.binary, s.directory)
	if err != nil {
		return nil, err
	}
	s.endpoints, s.crash = server.Endpoints, server.Crash
	return server.Stop, nil
}

func run(o options) (passed, failed int, err error) {
	if o.directory == "" {
		if o.directory, err = os.MkdirTemp("", "stator-history-"); err != nil {
			return 0, 0, err
		}
		defer func() {
			if err == nil && failed == 0 {
				_ = os.RemoveAll(o.directory)
			}
		}()
	}
	s := &suite{options: o}
	stop, err := s.connect()
	if err != nil {
		return 0, 0, err
	}
	defer stop()
	s.runWorkloads()
	if o.faults {
		s.runFaults()
	}
	if s.failed > 0 {
		fmt.Printf("data, log and pictures are in %s\n", o.directory)
	}
	return s.passed, s.failed, nil
}

func main() {
	passed, failed, err := run(parseOptions())
	if err != nil {
		fmt.Println(err)
		failed++
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
