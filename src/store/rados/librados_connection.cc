// The module with librados in it; connection.h is all that the rest knows.

#include "store/rados/librados_connection.h"

namespace stator::store::rados {
namespace {

// Where nobody answers any more when a node stops.
constexpr std::chrono::milliseconds kGrace{1000};
constexpr std::chrono::milliseconds kCancelPoll{5};
const std::string kProbeObject = "probe";

}  // namespace

// What librados has not answered is taken back, so that it calls nobody who is gone. Watches and
// notifications cannot be: librados drops them without a word, and their records are leaked.
RadosConnection::~RadosConnection() {
  if (context_ != nullptr) {
    unwatch();
    deadlines_.hasten(kGrace);
    std::size_t leaked = 0;
    for (const Deadlines::PendingPointer& late : deadlines_.drain()) {
      if (!static_cast<LibradosPending&>(*late).cancel(context_)) ++leaked;
    }
    for (auto waited = std::chrono::milliseconds(0);
         deadlines_.statistics().late > leaked && waited < kGrace; waited += kCancelPoll) {
      std::this_thread::sleep_for(kCancelPoll);
    }
    reads_.close();
    rados_ioctx_destroy(context_);
  }
  if (cluster_ != nullptr) rados_shutdown(cluster_);
}

void RadosConnection::write(const std::string& object, const WriteRequest& request, Done done,
                            void* argument) {
  if (full_probe_.due(FullProbe::Clock::now())) probe();
  if (const int full = full_probe_.judge(request); full != 0) {
    Reply reply;
    reply.status = full;
    return done(argument, std::move(reply));
  }
  send(object, build(request), bytes_of(request), done, argument);
}

void RadosConnection::send(const std::string& object, WriteOperation operation, std::size_t bytes,
                           Done done, void* argument) {
  auto pending = std::make_shared<LibradosPending>(deadlines_, object, bytes, done, argument);
  if (!deadlines_.begin(pending)) return;
  librados::AioCompletion* const completion = pending->expect(pending);
  // Without this flag librados keeps writes to a full pool to itself until there is room.
  const int status =
      rados_aio_write_op_operate(operation.get(), context_, completion->pc, object.c_str(), nullptr,
                                 LIBRADOS_OPERATION_FULL_TRY);
  if (status < 0) pending->refused(status);
}

// Writes a byte of data and, where there is room for it, removes it again.
void RadosConnection::probe() {
  WriteOperation operation(rados_create_write_op());
  rados_write_op_append(operation.get(), "x", 1);
  const Done done = [](void* argument, const Reply reply) {
    // The connection waits for the end of this, and for what is begun here.
    auto* const self = static_cast<RadosConnection*>(argument);
    self->full_probe_.ended(reply.status, FullProbe::Clock::now());
    if (reply.status != 0) return;
    WriteOperation removal(rados_create_write_op());
    rados_write_op_remove(removal.get());
    self->send(kProbeObject, std::move(removal), 1, [](void*, Reply) {}, nullptr);
  };
  send(kProbeObject, std::move(operation), 1, done, this);
}

void RadosConnection::read(const std::string& object, const ReadRequest& request, Done done,
                           void* argument) {
  auto pending =
      std::make_shared<PendingRead>(deadlines_, object, bytes_of(request), done, argument);
  if (!deadlines_.begin(pending)) return;
  pending->build(request);
  librados::AioCompletion* const completion = pending->expect(pending);
  const int status = reads_.aio_operate(object, completion, &pending->operation, nullptr);
  if (status < 0) pending->refused(status);
}

Connection::TimeoutStatistics RadosConnection::timeout_statistics() const {
  const Deadlines::Statistics statistics = deadlines_.statistics();
  return {statistics.timeouts, statistics.late};
}

}  // namespace stator::store::rados
