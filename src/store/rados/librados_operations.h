#pragma once

#include <rados/librados.h>

#include <map>
#include <memory>
#include <rados/librados.hpp>
#include <string>
#include <vector>

#include "store/rados/deadlines.h"

// Operations as librados wants them. Part of the module with librados in it.
namespace stator::store::rados {

// One of ours with what librados calls it, so that it can be taken back when a connection closes.
class LibradosPending : public Pending {
 public:
  LibradosPending(Deadlines& deadlines, const std::string& object, std::size_t bytes,
                  Connection::Done done, void* argument)
      : Pending(object, bytes, done, argument), deadlines_(deadlines) {}
  ~LibradosPending() override {
    if (completion_ != nullptr) completion_->release();
  }

  // The completion to give to librados. From here on the record lives until ended().
  // `completion->pc` is the one of the C interface.
  [[nodiscard]] librados::AioCompletion* expect(std::shared_ptr<LibradosPending> self);
  // librados has not taken it, and there will be no callback.
  void refused(int status);
  // Makes librados answer soon. False where it cannot: watches and notifications.
  [[nodiscard]] virtual bool cancel(rados_ioctx_t context) {
    return rados_aio_cancel(context, completion_->pc) == 0;
  }

 protected:
  // What librados has answered.
  [[nodiscard]] virtual Reply reply(int status);

 private:
  static void ended(rados_completion_t completion, void* argument);

  Deadlines& deadlines_;
  librados::AioCompletion* completion_ = nullptr;
  std::shared_ptr<LibradosPending> self_;  // until librados has answered
};

struct ReleaseWrite {
  void operator()(void* operation) const { rados_release_write_op(operation); }
};
using WriteOperation = std::unique_ptr<void, ReleaseWrite>;
[[nodiscard]] WriteOperation build(const WriteRequest& request);
[[nodiscard]] std::size_t bytes_of(const WriteRequest& request);

class PendingRead final : public LibradosPending {
 public:
  using LibradosPending::LibradosPending;
  // Range reads with zero bytes in keys are in the C++ interface only.
  void build(const ReadRequest& request);
  librados::ObjectReadOperation operation;

 protected:
  [[nodiscard]] Reply reply(int status) override;

 private:
  std::map<std::string, librados::bufferlist> values_;
  std::vector<std::map<std::string, librados::bufferlist>> ranges_;
  std::unique_ptr<bool[]> more_;
};
[[nodiscard]] std::size_t bytes_of(const ReadRequest& request);

}  // namespace stator::store::rados
