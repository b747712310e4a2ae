#include "engine/tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "engine/delete_table.h"

namespace stator::engine {
namespace {

constexpr std::size_t kKeyCharactersMax = 128;
constexpr std::size_t kValueCharactersMax = 256;

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char byte) { return (byte & 0xc0) != 0x80; }));
}

// Letters and digits of any script, spaces and a few signs. Of other scripts only emoji are refused: they are the characters
// of four bytes that people try.
bool has_tag_characters(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char byte) {
    const auto code = static_cast<unsigned char>(byte);
    if (code >= 0xf0) return false;
    return code >= 0x80 || std::isalnum(code) != 0 || std::strchr(" +-=._:/@", byte) != nullptr;
  });
}

bool has_service_prefix(std::string_view key) {
  constexpr std::string_view kReservedPrefix = "aws:";
  return key.size() >= kReservedPrefix.size() &&
         std::equal(kReservedPrefix.begin(), kReservedPrefix.end(), key.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

}  // namespace

Result<void> check_tag_key(std::string_view key) {
  if (key.empty() || characters(key) > kKeyCharactersMax || !has_tag_characters(key)) {
    return invalid(fmt::format("The Tag Key provided is invalid, Key: {}", key));
  }
  if (has_service_prefix(key)) {
    return invalid(fmt::format("Tag Key cannot be prefixed with aws:, Key: {}", key));
  }
  return {};
}

Result<void> check_tags(std::span<const Tag> tags) {
  std::set<std::string_view> keys;
  for (const auto& [key, value] : tags) {
    TRY_VOID(check_tag_key(key));
    if (characters(value) > kValueCharactersMax || !has_tag_characters(value)) {
      return invalid(fmt::format("The Tag Value provided is invalid, Value: {}", value));
    }
    if (!keys.insert(key).second) {
      return invalid(fmt::format("Duplicate Tag Keys provided as input: Duplicate Tag Key found {}", key));
    }
  }
  if (tags.size() > kTagsMax) {
    return invalid("Number of Tags exceed the current limit for the provided ResourceArn");
  }
  return {};
}

base::Task<Result<void>> tag_table(Engine& engine, std::string_view name, std::span<const Tag> tags) {
  const auto change = [&engine, tags](Table& table) -> Result<void> {
    TRY_VOID(check_changeable_beside_others(engine, table));
    for (const auto& [key, value] : tags) {
      const auto known = std::find_if(table.tags.begin(), table.tags.end(),
                                      [&wanted = key](const auto& tag) { return tag.first == wanted; });
      if (known != table.tags.end()) {
        known->second = std::string(value);
      } else {
        table.tags.emplace_back(key, value);
      }
    }
    if (table.tags.size() > kTagsMax) {
      return invalid("Number of Tags exceed the current limit for the provided ResourceArn");
    }
    return {};
  };
  const Result<TablePtr> updated = co_await engine.catalog.update(std::string(name), change);
  CO_TRY_VOID(updated);
  co_return Result<void>();
}

base::Task<Result<void>> untag_table(Engine& engine, std::string_view name,
                                     std::span<const std::string_view> keys) {
  const auto change = [keys](Table& table) -> Result<void> {
    std::erase_if(table.tags, [&](const auto& tag) {
      return std::find(keys.begin(), keys.end(), tag.first) != keys.end();
    });
    return {};
  };
  const Result<TablePtr> updated = co_await engine.catalog.update(std::string(name), change);
  CO_TRY_VOID(updated);
  co_return Result<void>();
}

}  // namespace stator::engine
