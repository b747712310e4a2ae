// Where the load loop takes its requests from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stator::bench {

class RequestSource {
 public:
  virtual ~RequestSource() = default;

  // The next request, valid until the next call, or nullopt when there are no more.
  virtual std::optional<std::string_view> Next() = 0;
};

// Requests made before the clock starts, in one block of memory, handed out in their order again
// and again. Random keys are drawn when the requests are made: reading them in order lets the
// processor prefetch them.
class PreparedSource : public RequestSource {
 public:
  PreparedSource(std::size_t count, const std::function<std::string()>& make_request);

  std::optional<std::string_view> Next() override;

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
  std::size_t next_ = 0;
};

// Writes the items 0 to `items` - 1 once, `batch` of them in a request, made on the fly.
class FillSource : public RequestSource {
 public:
  // Makes the request that writes the items `first` to `last` - 1.
  using MakeBatch = std::function<std::string(std::uint64_t first, std::uint64_t last)>;

  FillSource(std::uint64_t items, std::uint64_t batch, MakeBatch make_batch);

  std::optional<std::string_view> Next() override;

 private:
  std::uint64_t items_;
  std::uint64_t batch_;
  MakeBatch make_batch_;
  std::uint64_t next_ = 0;
  std::string request_;
};

}  // namespace stator::bench
