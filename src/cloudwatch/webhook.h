#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace stator::cloudwatch {

// Posts JSON to http:// addresses, one after the other, from a thread of its own. A receiver that does not answer is given
// up after a few seconds; when too many wait, the oldest is dropped.
class Webhook {
 public:
  Webhook();
  ~Webhook();
  Webhook(const Webhook&) = delete;
  Webhook& operator=(const Webhook&) = delete;

  void post(std::string url, std::string body);

 private:
  void run();
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;                                   // guarded by mutex_
  std::deque<std::pair<std::string, std::string>> queue_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace stator::cloudwatch
