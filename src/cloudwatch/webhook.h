#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "cloudwatch/webhook_targets.h"

namespace stator::cloudwatch {

// Posts JSON to http:// addresses, one after the other, from a thread of its own, and tells what became of it. Redirections are
// not followed. A receiver that does not answer is given up after a few seconds.
class Webhook {
 public:
  struct Message {
    std::string alarm;
    std::string url;
    std::string body;
  };
  // Called on the thread of the webhook; `failure` is empty where the receiver has taken the message.
  using Done = std::function<void(const Message& message, const std::string& failure)>;

  Webhook(WebhookTargets targets, Done done);
  ~Webhook();
  Webhook(const Webhook&) = delete;
  Webhook& operator=(const Webhook&) = delete;

  // Whether the address is one, and may be sent to.
  [[nodiscard]] bool allows(std::string_view url) const;
  // False where too many wait already; then nobody is called.
  [[nodiscard]] bool post(Message message);

 private:
  void run();
  [[nodiscard]] std::string deliver(const Message& message) const;

  const WebhookTargets targets_;
  const Done done_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;      // guarded by mutex_
  std::deque<Message> queue_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace stator::cloudwatch
