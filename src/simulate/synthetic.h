#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulate/profile.h"
#include "simulate/request.h"

namespace stator::simulate {

// Which partition keys a stream of requests goes to.
struct KeyChoice {
  double distinct = 1;       // keys, shards not counted
  double hottest_share = 0;  // of the requests, to the busiest key; the rest is spread evenly over the others
  int shards = 1;            // each key is written in so many
  std::string label;         // for the report: the key's template
};

// What an item of a collection is next.
enum class ItemChoice : std::uint8_t {
  single,     // the collection has one item
  any,        // some item, in no order
  ascending,  // a new one with the highest sort key so far
};

struct Touch {
  std::uint32_t target = 0;
  capacity::Direction direction = capacity::Direction::read;
  capacity::HalfUnits cost = 0;
  bool whole_collection = false;
  double probability = 1;  // of requests that touch it: a sparse index
  KeyChoice keys;
  ItemChoice items = ItemChoice::any;
};

// Requests of one kind.
struct Stream {
  std::string name;
  double average = 0;  // requests per second
  double peak = 0;
  std::vector<Touch> touches;
};

struct Workload {
  std::vector<Target> targets;
  std::vector<Stream> streams;
  Profile profile = Profile::day;
  std::int64_t duration_s = 86'400;
  std::int64_t start_s = 0;  // of the day
  std::uint64_t seed = 1;
};

// A Poisson process whose rate follows the profile second by second: the same requests for the same seed.
class SyntheticSource final : public Source {
 public:
  explicit SyntheticSource(Workload workload);

  [[nodiscard]] Result<bool> next(Request& request) override;
  [[nodiscard]] Result<void> rewind() override;
  [[nodiscard]] const std::vector<Target>& targets() const override { return workload_.targets; }
  [[nodiscard]] std::string key_name(const Part& part) const override;

 private:
  [[nodiscard]] std::uint64_t random() noexcept;
  [[nodiscard]] double random_share() noexcept;  // above 0, up to 1
  bool start_second();
  void touch(const Touch& touch, std::uint32_t tag, Request& request);

  const Workload workload_;
  std::vector<const Touch*> touches_;      // by tag
  std::vector<std::uint32_t> first_tags_;  // of each stream
  std::vector<double> sums_;               // of the streams' rates in this second, running
  std::uint64_t state_ = 0;
  std::int64_t second_ = 0;
  double at_s_ = 0;            // within the second
  std::uint64_t written_ = 0;  // requests so far
  char sort_key_[8] = {};      // the same, big-endian: the next ascending sort key
};

}  // namespace stator::simulate
