#include "expr/cache.h"

#include <list>
#include <unordered_map>

#include "expr/parser.h"

namespace stator::expr {
namespace {

struct Key {
  Parameter parameter;
  std::string_view text;
  friend bool operator==(const Key&, const Key&) = default;
};
struct KeyHash {
  std::size_t operator()(const Key& key) const noexcept {
    return std::hash<std::string_view>()(key.text) * 31 + static_cast<std::size_t>(key.parameter);
  }
};

// Entries are erased by type: a key's parameter tells what its pointer is.
class Cache {
 public:
  template <class Parsed, class Parse>
  Result<std::shared_ptr<const Parsed>> get(Parameter parameter, std::string_view text,
                                            const Parse& parse) {
    if (const auto found = index_.find(Key{parameter, text}); found != index_.end()) {
      entries_.splice(entries_.begin(), entries_, found->second);
      return std::static_pointer_cast<const Parsed>(found->second->tree);
    }
    TRY(std::shared_ptr<const Parsed> tree, parse());
    while (entries_.size() >= kCacheEntriesMax ||
           (!entries_.empty() && text_bytes_ + text.size() > kCacheTextBytesMax)) {
      text_bytes_ -= entries_.back().key.text.size();
      index_.erase(entries_.back().key);
      entries_.pop_back();
    }
    text_bytes_ += text.size();
    entries_.push_front({Key{parameter, tree->text}, tree});
    index_.emplace(entries_.front().key, entries_.begin());
    return tree;
  }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] std::size_t text_bytes() const noexcept { return text_bytes_; }

 private:
  struct Entry {
    Key key;  // its text is the tree's
    std::shared_ptr<const void> tree;
  };
  std::list<Entry> entries_;
  std::size_t text_bytes_ = 0;
  std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> index_;
};

Cache& cache() {
  thread_local Cache instance;
  return instance;
}

}  // namespace

Result<std::shared_ptr<const ParsedCondition>> cached_condition(std::string_view text,
                                                                Parameter parameter) {
  return cache().get<ParsedCondition>(parameter, text,
                                      [&] { return parse_condition(text, parameter); });
}

Result<std::shared_ptr<const ParsedUpdate>> cached_update(std::string_view text) {
  return cache().get<ParsedUpdate>(Parameter::update, text, [&] { return parse_update(text); });
}

Result<std::shared_ptr<const ParsedProjection>> cached_projection(std::string_view text) {
  return cache().get<ParsedProjection>(Parameter::projection, text,
                                       [&] { return parse_projection(text); });
}

std::size_t cache_entries() noexcept { return cache().size(); }
std::size_t cache_text_bytes() noexcept { return cache().text_bytes(); }

}  // namespace stator::expr
