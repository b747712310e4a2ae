#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "trigger/handler.h"

extern char** environ;

namespace stator::trigger {
namespace {

using Clock = std::chrono::steady_clock;

// What Lambda takes as a response at most; a program that prints more is not answering.
constexpr std::size_t kResponseBytesMax = 6 * 1024 * 1024;

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void reset(int number = -1) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read.reset(ends[0]);
    write.reset(ends[1]);
    return true;
  }
};

// The program gets the signals that we block or ignore in their usual state, and a process group of its own: Ctrl-C is
// for us, and what it leaves running can be ended with it.
int spawn(const ProgramOptions& options, Pipe& in, Pipe& out, pid_t& process) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in.read.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, options.read_response ? out.write.get() : STDERR_FILENO, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigset_t usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const char* arguments[] = {"/bin/sh", "-c", options.command.c_str(), nullptr};
  std::vector<char*> environment;
  for (const std::string& one : options.environment) environment.push_back(const_cast<char*>(one.c_str()));
  for (char** one = environ; *one != nullptr; ++one) environment.push_back(*one);
  environment.push_back(nullptr);
  const int error =
      posix_spawn(&process, arguments[0], &files, &attributes, const_cast<char**>(arguments), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

// A program that runs: writes the event, reads what comes back, and waits for the end or the time-out.
class Running {
 public:
  Running(pid_t process, Pipe& in, Pipe& out, const std::string& event)
      : process_(process),
        ended_(static_cast<int>(syscall(SYS_pidfd_open, process, 0))),
        in_(in.write),
        out_(out.read),
        left_(event) {
    fcntl(in_.get(), F_SETFL, O_NONBLOCK);
    if (out_.get() >= 0) fcntl(out_.get(), F_SETFL, O_NONBLOCK);
    if (left_.empty()) in_.reset();
  }

  // The wait status, or nothing after the time-out, when the program and what it started are gone.
  bool finish(Clock::time_point deadline, int& status) {
    while (true) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      pollfd events[] = {{ended_.get(), POLLIN, 0}, {in_.get(), POLLOUT, 0}, {out_.get(), POLLIN, 0}};
      if (left <= 0) break;
      // Where the system has no process descriptors, the end is looked for often.
      const auto longest = ended_.get() >= 0 ? left : std::min<decltype(left)>(left, 10);
      if (poll(events, 3, static_cast<int>(std::min<decltype(left)>(longest, 60'000))) < 0 && errno != EINTR) break;
      if (events[1].revents != 0) write_some();
      if (events[2].revents != 0) read_some();
      if (waitpid(process_, &status, WNOHANG) != process_) continue;
      while (out_.get() >= 0 && read_some()) {
      }
      return true;
    }
    kill(-process_, SIGKILL);
    waitpid(process_, &status, 0);
    return false;
  }

  std::string response;

 private:
  void write_some() {
    const ssize_t count = ::write(in_.get(), left_.data(), left_.size());
    if (count > 0) left_.remove_prefix(static_cast<std::size_t>(count));
    // A program need not read its input to succeed.
    if (left_.empty() || (count < 0 && errno != EAGAIN && errno != EINTR)) in_.reset();
  }

  bool read_some() {
    char bytes[16384];
    const ssize_t count = ::read(out_.get(), bytes, sizeof(bytes));
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) {
      if (count == 0) out_.reset();
      return false;
    }
    if (response.size() <= kResponseBytesMax) response.append(bytes, static_cast<std::size_t>(count));
    return true;
  }

  pid_t process_;
  Descriptor ended_;
  Descriptor& in_;
  Descriptor& out_;
  std::string_view left_;
};

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("the program was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  const int code = WEXITSTATUS(status);
  return fmt::format("the program ended with exit code {}{}", code,
                     code == 127   ? "; is its path right?"
                     : code == 126 ? "; is it executable?"
                                   : "");
}

class ProgramHandler final : public Handler {
 public:
  explicit ProgramHandler(ProgramOptions options) : options_(std::move(options)) {}

  Outcome invoke(const std::string& event) override {
    const auto deadline = Clock::now() + std::chrono::milliseconds(options_.timeout_ms);
    Pipe in;
    Pipe out;
    pid_t process = 0;
    if (!in.open() || (options_.read_response && !out.open())) {
      return {Outcome::Kind::unreachable, fmt::format("cannot make a pipe: {}", std::strerror(errno)), ""};
    }
    if (const int error = spawn(options_, in, out, process); error != 0) {
      return {Outcome::Kind::unreachable, fmt::format("cannot start /bin/sh: {}", std::strerror(error)), ""};
    }
    in.read.reset();
    out.write.reset();
    Running running(process, in, out, event);
    int status = 0;
    if (!running.finish(deadline, status)) {
      return {Outcome::Kind::failed, fmt::format("the program took longer than {} s", options_.timeout_ms / 1000.0),
              ""};
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return {Outcome::Kind::failed, how_it_ended(status), ""};
    if (running.response.size() > kResponseBytesMax) {
      return {Outcome::Kind::failed, "the program printed more than 6 MB", ""};
    }
    return {Outcome::Kind::success, "", std::move(running.response)};
  }

 private:
  ProgramOptions options_;
};

}  // namespace

std::unique_ptr<Handler> make_program_handler(ProgramOptions options) {
  return std::make_unique<ProgramHandler>(std::move(options));
}

}  // namespace stator::trigger
