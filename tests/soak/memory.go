package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"time"
)

var residentLine = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// residentMB is what a process holds in memory now.
func residentMB(process int) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		return 0, err
	}
	found := residentLine.FindSubmatch(status)
	if found == nil {
		return 0, fmt.Errorf("process %d has no memory; did it end?", process)
	}
	kilobytes, err := strconv.Atoi(string(found[1]))
	return float64(kilobytes) / 1024, err
}

type sample struct {
	after time.Duration
	mb    float64
}

// Memory may grow while caches fill, which they have done after this part of the run. From then on it is flat if
// the last samples are not higher than the first by more than an allocator and RocksDB's own pace can explain.
const (
	settledPart  = 0.3
	growthFactor = 1.15
	growthMB     = 24
)

// growth compares the memory after the caches have filled with the memory at the end, each as a mean of samples.
func growth(samples []sample, duration time.Duration) (settled, end float64, flat bool) {
	mean := func(from, to float64) float64 {
		sum, count := 0.0, 0
		for _, taken := range samples {
			if part := taken.after.Seconds() / duration.Seconds(); part >= from && part <= to {
				sum += taken.mb
				count++
			}
		}
		if count == 0 {
			return 0
		}
		return sum / float64(count)
	}
	settled, end = mean(settledPart, settledPart+0.15), mean(0.85, 1.1)
	return settled, end, end <= settled*growthFactor+growthMB
}
