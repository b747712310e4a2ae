package cluster

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// A bound for a busy machine, not an expectation.
const startTimeout = 60 * time.Second

var readyLine = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`)

// Server is a server process of our own with its data on disk, as node 0 of its endpoints.
// It belongs to one goroutine.
type Server struct {
	Endpoints *Endpoints
	binary    string
	directory string
	options   []string
	process   *exec.Cmd
}

// StartServer runs the binary with its data and its log in a directory, which must exist.
func StartServer(binary, directory string, options ...string) (*Server, error) {
	server := &Server{binary: binary, directory: directory, options: options, Endpoints: NewEndpoints("")}
	return server, server.start()
}

func (s *Server) start() error {
	log, err := os.OpenFile(filepath.Join(s.directory, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	arguments := append([]string{"serve", "--port", "0", "--data", filepath.Join(s.directory, "data")}, s.options...)
	s.process = exec.Command(s.binary, arguments...)
	s.process.Stderr = log
	output, err := s.process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.process.Start(); err != nil {
		return err
	}
	lines := make(chan string, 1)
	go func() {
		reader := bufio.NewReader(output)
		line, _ := reader.ReadString('\n')
		lines <- line
		// So that the server never waits for a reader.
		_, _ = io.Copy(io.Discard, reader)
	}()
	select {
	case line := <-lines:
		url := readyLine.FindString(line)
		if url == "" {
			s.Stop()
			return fmt.Errorf("the server did not name its address but said %q; see %s/log", line, s.directory)
		}
		s.Endpoints.Move(0, url)
		return nil
	case <-time.After(startTimeout):
		s.Stop()
		return fmt.Errorf("the server was not ready after %v; see %s/log", startTimeout, s.directory)
	}
}

// Crash ends the process by SIGKILL, which runs nothing of it any more, and starts it again on its data.
func (s *Server) Crash() error {
	s.Stop()
	return s.start()
}

// Stop ends the process at once.
func (s *Server) Stop() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// Process is the number of the process.
func (s *Server) Process() int { return s.process.Process.Pid }
