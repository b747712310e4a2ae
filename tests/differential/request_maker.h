#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace stator::differential {

inline constexpr int kPartitions = 4;
inline constexpr int kSortKeys = 8;

// Key of an item of the table "things". Ordered as the table is within a partition.
struct Key {
  int partition = 0;
  int sort = 0;
  auto operator<=>(const Key&) const = default;
};
[[nodiscard]] std::string key_text(const Key& key);  // {"pk":{"S":"p1"},"sk":{"N":"2"}}

// What one request shall do to one item.
struct Write {
  enum class Kind { put, update, remove, check };
  Kind kind = Kind::put;
  Key key;
  std::string item;  // of a put
};

struct Request {
  std::string operation;
  std::string body;
  std::vector<Write> writes;  // none for a request that only reads
};

// The request that makes the table: five indexes over few values, so that items meet often.
[[nodiscard]] std::string create_things();

// Random requests about the table. The same seed gives the same requests.
class RequestMaker {
 public:
  explicit RequestMaker(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] Request next();
  // Below `bound`.
  std::uint32_t number(std::uint32_t bound) {
    return static_cast<std::uint32_t>(random_() % bound);
  }
  bool one_in(std::uint32_t chances) { return number(chances) == 0; }

 private:
  // Members of a request, written one after the other with commas between.
  class Body;
  // Values and names for the placeholders that stand in an expression.
  void add_placeholders(Body& body, const std::string& expressions);
  void add_expressions(Body& body, const std::string& update, const std::string& condition);
  void add_return_options(Body& body);

  std::string pick(std::initializer_list<const char*> texts);
  Key random_key();
  std::string scalar();
  std::string document();
  std::string item(const Key& key);
  std::string condition();
  std::string update();
  std::vector<Key> distinct_keys(std::uint32_t at_most);

  Request put_item();
  Request update_item();
  Request delete_item();
  Request get_item();
  Request query();
  Request scan();
  Request batch_write_item();
  Request batch_get_item();
  Request transact_write_items();
  Request transact_get_items();
  Request table_operation();

  std::mt19937_64 random_;
};

}  // namespace stator::differential
