#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/open.h"

// The border to librados. What is behind it is a module of its own (librados_connection.cc), which
// is loaded when a pool is opened: loading librados takes some 20 ms, and a server on a local disk
// should neither wait for it nor need it.
namespace stator::store::rados {

enum class Compare : std::uint8_t {
  equal,
  less,
  greater
};  // of the stored value with the given one

// What one write operation does, all of it or nothing: comparisons (with the state before), then
// changes in this order.
struct WriteRequest {
  struct Comparison {
    std::string key;
    Compare how;
    std::string value;
  };
  bool create = false;            // makes the object where it is missing
  bool create_exclusive = false;  // fails with EEXIST where it is not
  std::vector<Comparison> comparisons;
  std::vector<std::pair<std::string, std::string>> removed_ranges;  // [from, to)
  std::vector<std::string> removed;
  std::map<std::string, std::string> set;
};

struct ReadRequest {
  struct Range {
    std::string after;   // strictly
    std::string prefix;  // only keys that begin with it; may be empty
    std::uint64_t entries_max;
  };
  std::vector<std::string> keys;
  std::vector<Range> ranges;
};

struct Reply {
  int status = 0;                             // negative error number of the operation
  std::map<std::string, std::string> values;  // of the keys that exist
  struct Entries {
    std::vector<std::pair<std::string, std::string>> entries;
    bool more = false;
  };
  std::vector<Entries> ranges;

  [[nodiscard]] const std::string& value(const std::string& key) const {
    static const std::string kAbsent;
    const auto found = values.find(key);
    return found != values.end() ? found->second : kAbsent;
  }
};

// A connection to one pool. All methods may be called from many threads. Every operation ends
// within the time-out, with ETIMEDOUT where the cluster did not answer: then a write may still be
// done, at any later time.
class Connection {
 public:
  // Called once, on a thread of librados, of the time-outs, or the caller's.
  using Done = void (*)(void* argument, Reply reply);

  virtual ~Connection() = default;
  virtual void write(const std::string& object, const WriteRequest& request, Done done,
                     void* argument) = 0;
  virtual void read(const std::string& object, const ReadRequest& request, Done done,
                    void* argument) = 0;
  // For a node that stops: from now on the time-out is not above `grace`, for operations under way
  // too, and after the first that was not answered in it nothing is waited for any more. So
  // closing takes about that long where the cluster is gone.
  virtual void hasten(std::chrono::milliseconds grace) = 0;

  struct TimeoutStatistics {
    std::uint64_t timeouts = 0;  // operations that were not answered in time
    std::uint64_t late = 0;      // of them, those that the cluster has not answered yet
  };
  [[nodiscard]] virtual TimeoutStatistics timeout_statistics() const = 0;

  // What an announcement is answered with.
  struct Announcement {
    std::uint64_t identity = 0;
    std::uint64_t watch = 0;
  };
  struct Watcher {
    // Both are called on a thread of librados, and must not wait.
    std::function<void(Announcement)> heard;
    std::function<void()> lost;  // nothing will be heard any more: watch again
  };
  // One at a time; the watcher lives until unwatch() has returned. Has no time-out but hasten().
  virtual void watch(const std::string& object, const Watcher& watcher, Done done, void* argument) = 0;
  virtual void unwatch() = 0;
  // Ends when all watchers have acknowledged, or after the time-out.
  virtual void announce(const std::string& object, std::chrono::milliseconds timeout, Done done,
                        void* argument) = 0;
  virtual void acknowledge(const std::string& object, const Announcement& announcement) = 0;
};

// The module's only symbol. Null and an error when there is no connection; the caller owns what it
// gets.
using ConnectFunction = Connection* (*)(const RadosOptions& options, Error& error);
inline constexpr const char* kConnectSymbol = "stator_rados_connect";
inline constexpr const char* kModuleName = "libstator_rados.so";

}  // namespace stator::store::rados
