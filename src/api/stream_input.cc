#include "api/stream_input.h"

#include <fmt/format.h>

#include <charconv>

#include "base/buffer.h"
#include "item/base64.h"

namespace stator::api {
namespace {

// Reads a decimal number up to `end`, and moves `text` behind it.
template <class T>
bool read_number(std::string_view& text, char end, T& value) {
  const std::size_t stop = std::min(text.find(end), text.size());
  const auto [at, error] = std::from_chars(text.data(), text.data() + stop, value);
  if (error != std::errc() || at != text.data() + stop) return false;
  text.remove_prefix(std::min(stop + 1, text.size()));
  return true;
}

}  // namespace

std::string stream_arn(const Call& call, const engine::Table& table, const engine::Stream& stream) {
  return fmt::format("{}/stream/{}", table_arn(call, table.name), stream.label);
}

Result<engine::StreamOfTable> stream_of_arn(const Call& call, std::string_view arn) {
  constexpr std::string_view kTable = ":table/";
  constexpr std::string_view kStream = "/stream/";
  const std::size_t table_at = arn.find(kTable);
  const std::size_t stream_at = arn.find(kStream);
  if (!arn.starts_with("arn:") || table_at == std::string_view::npos || stream_at == std::string_view::npos ||
      stream_at < table_at) {
    return invalid(fmt::format("Invalid StreamArn: {}", arn));
  }
  const std::size_t name_at = table_at + kTable.size();
  const std::string_view name = arn.substr(name_at, stream_at - name_at);
  const auto found = engine::find_stream(call.engine, name, arn.substr(stream_at + kStream.size()));
  if (!found) {
    return fail(ErrorCode::table_not_found, fmt::format("Requested resource not found: Stream: {} not found", arn));
  }
  return *found;
}

std::string encode_iterator(std::string_view arn, const ShardIterator& iterator) {
  base::Buffer place;
  item::append_base64(place, fmt::format("{}.{}.{}.{}", iterator.shard.slot, iterator.shard.first,
                                         iterator.position, iterator.issued_ms));
  return fmt::format("{}|1|{}", arn, place.view());
}

Result<ReadIterator> decode_iterator(std::string_view text, base::Arena& arena) {
  constexpr std::string_view kSeparator = "|1|";
  const std::size_t separator = text.find(kSeparator);
  ReadIterator result;
  if (separator != std::string_view::npos) {
    result.arn = text.substr(0, separator);
    const auto place = item::base64_decode(text.substr(separator + kSeparator.size()), arena);
    std::string_view rest = place.value_or("");
    ShardIterator& iterator = result.iterator;
    if (read_number(rest, '.', iterator.shard.slot) && read_number(rest, '.', iterator.shard.first) &&
        read_number(rest, '.', iterator.position) && read_number(rest, '.', iterator.issued_ms)) {
      return result;
    }
  }
  return invalid("Invalid ShardIterator");
}

}  // namespace stator::api
