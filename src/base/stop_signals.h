#pragma once

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/stop.h"

namespace stator::base {

// Waits for SIGTERM and SIGINT while it lives. The first asks for a clean end, the second ends the process at once.
class StopSignals {
 public:
  explicit StopSignals(Stop& stop) : stop_(stop) {
    sigemptyset(&set_);
    for (const int number : {SIGTERM, SIGINT, SIGUSR1}) sigaddset(&set_, number);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    signal(SIGPIPE, SIG_IGN);  // who does not read what we write is no reason to end
    thread_ = std::thread([this] { wait(); });
  }
  ~StopSignals() {
    leaving_ = true;
    pthread_kill(thread_.native_handle(), SIGUSR1);
    thread_.join();
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  void wait() {
    int received = 0;
    while (sigwait(&set_, &received) == 0) {
      if (leaving_) return;
      if (received == SIGUSR1) continue;
      if (stop_.requested()) _exit(128 + received);
      stop_.request();
    }
  }

  Stop& stop_;
  sigset_t set_;
  std::atomic<bool> leaving_ = false;
  std::thread thread_;
};

}  // namespace stator::base
