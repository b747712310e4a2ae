#include <bit>
#include <cmath>

#include "base/utf8.h"
#include "service/codecs.h"
#include "service/error.h"

// CBOR (RFC 8949) as Smithy RPC v2 uses it. Written here because times are tagged numbers, which JSON libraries that read
// CBOR drop or cannot write, and because the depth of a request has to be limited while it is read.
namespace stator::service {
namespace {

enum class Major : std::uint8_t { positive, negative, bytes, text, array, map, tag, simple };
constexpr std::uint8_t kIndefinite = 31;
constexpr std::uint8_t kBreak = 0xff;
constexpr std::uint64_t kEpochTag = 1;

double half_to_double(std::uint64_t half) {
  const int exponent = static_cast<int>(half >> 10 & 0x1f);
  const auto mantissa = static_cast<double>(half & 0x3ff);
  double value = exponent == 0    ? std::ldexp(mantissa, -24)
                 : exponent != 31 ? std::ldexp(mantissa + 1024, exponent - 25)
                 : mantissa == 0  ? INFINITY
                                  : NAN;
  return (half & 0x8000) != 0 ? -value : value;
}

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}
  Result<Value> document() {
    Value value;
    if (!read(value, 0) || !rest_.empty()) return refuse("MalformedInput", "SerializationException", "The body is not CBOR");
    return value;
  }

 private:
  bool take(std::size_t count, std::string_view& bytes) {
    if (count > rest_.size()) return false;
    bytes = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return true;
  }
  // The argument of an item's head; `info` is 31 for an indefinite length.
  bool head(Major& major, std::uint8_t& info, std::uint64_t& argument) {
    std::string_view bytes;
    if (!take(1, bytes)) return false;
    const auto first = static_cast<std::uint8_t>(bytes[0]);
    major = static_cast<Major>(first >> 5);
    info = first & 0x1f;
    argument = info;
    if (info < 24 || info == kIndefinite) return true;
    if (info > 27 || !take(std::size_t{1} << (info - 24), bytes)) return false;
    argument = 0;
    for (const char byte : bytes) argument = argument << 8 | static_cast<std::uint8_t>(byte);
    return true;
  }
  bool at_break() {
    if (rest_.empty() || static_cast<std::uint8_t>(rest_[0]) != kBreak) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool text(std::uint8_t info, std::uint64_t size, std::string& out) {
    std::string_view bytes;
    if (info != kIndefinite) {
      if (!take(size, bytes)) return false;
      out = bytes;
      return true;
    }
    while (!at_break()) {
      Major major{};
      if (!head(major, info, size) || info == kIndefinite || (major != Major::text && major != Major::bytes) ||
          !take(size, bytes)) {
        return false;
      }
      out += bytes;
    }
    return true;
  }
  bool array(Value& value, std::uint8_t info, std::uint64_t count, int depth) {
    value = Value::list();
    for (std::uint64_t i = 0; info == kIndefinite ? !at_break() : i < count; ++i) {
      Value element;
      if (!read(element, depth + 1)) return false;
      value.push(std::move(element));
    }
    return true;
  }
  bool map(Value& value, std::uint8_t info, std::uint64_t count, int depth) {
    value = Value::structure();
    for (std::uint64_t i = 0; info == kIndefinite ? !at_break() : i < count; ++i) {
      Value key;
      Value member;
      if (!read(key, depth + 1) || key.get<std::string>() == nullptr || !read(member, depth + 1)) return false;
      value.set(*key.get<std::string>(), std::move(member));
    }
    return true;
  }
  bool tagged(Value& value, std::uint64_t tag, int depth) {
    if (!read(value, depth + 1)) return false;
    if (tag != kEpochTag) return true;
    constexpr std::int64_t kSecondsMax = 1'000'000'000'000;
    if (const std::int64_t* seconds = value.get<std::int64_t>(); seconds != nullptr && *seconds < kSecondsMax && *seconds > -kSecondsMax) {
      value = Time{*seconds * 1000};
    } else if (const double* real = value.get<double>(); real != nullptr && std::abs(*real) < kSecondsMax) {
      value = Time{static_cast<std::int64_t>(std::llround(*real * 1000))};
    } else {
      return false;
    }
    return true;
  }
  static bool simple(Value& value, std::uint8_t info, std::uint64_t argument) {
    switch (info) {
      case 20:
      case 21:
        value = info == 21;
        return true;
      case 22:
      case 23:
        value = Value();
        return true;
      case 25:
        value = half_to_double(argument);
        return true;
      case 26:
        value = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(argument)));
        return true;
      case 27:
        value = std::bit_cast<double>(argument);
        return true;
      default:
        return false;
    }
  }
  bool read(Value& value, int depth) {
    Major major{};
    std::uint8_t info = 0;
    std::uint64_t argument = 0;
    if (depth > kDepthMax || ++values_ > kValuesMax || !head(major, info, argument)) return false;
    constexpr auto kInt64Max = static_cast<std::uint64_t>(INT64_MAX);
    switch (major) {
      case Major::positive:
        if (info == kIndefinite || argument > kInt64Max) return false;
        value = static_cast<std::int64_t>(argument);
        return true;
      case Major::negative:
        if (info == kIndefinite || argument > kInt64Max) return false;
        value = -1 - static_cast<std::int64_t>(argument);
        return true;
      case Major::bytes:
      case Major::text: {
        std::string out;
        if (!text(info, argument, out) || !base::is_utf8(out)) return false;
        value = std::move(out);
        return true;
      }
      case Major::array:
        return array(value, info, argument, depth);
      case Major::map:
        return map(value, info, argument, depth);
      case Major::tag:
        return info != kIndefinite && tagged(value, argument, depth);
      case Major::simple:
        return simple(value, info, argument);
    }
    return false;
  }

  std::string_view rest_;
  std::size_t values_ = 0;
};

void append_head(std::string& out, Major major, std::uint64_t argument) {
  const auto kind = static_cast<std::uint8_t>(static_cast<std::uint8_t>(major) << 5);
  if (argument < 24) {
    out.push_back(static_cast<char>(kind | argument));
    return;
  }
  const int power = argument <= 0xff ? 0 : argument <= 0xffff ? 1 : argument <= 0xffffffff ? 2 : 3;
  out.push_back(static_cast<char>(kind | (24 + power)));
  for (int shift = (8 << power) - 8; shift >= 0; shift -= 8) out.push_back(static_cast<char>(argument >> shift));
}

void append_double(std::string& out, double value) {
  out.push_back(static_cast<char>(0xfb));
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<char>(bits >> shift));
}

void append_cbor(std::string& out, const Value& value) {
  if (const bool* truth = value.get<bool>()) {
    out.push_back(static_cast<char>(*truth ? 0xf5 : 0xf4));
  } else if (const std::int64_t* integer = value.get<std::int64_t>()) {
    if (*integer >= 0) append_head(out, Major::positive, static_cast<std::uint64_t>(*integer));
    else append_head(out, Major::negative, static_cast<std::uint64_t>(-1 - *integer));
  } else if (const double* real = value.get<double>()) {
    append_double(out, *real);
  } else if (const std::string* text = value.get<std::string>()) {
    append_head(out, Major::text, text->size());
    out += *text;
  } else if (const Time* time = value.get<Time>()) {
    append_head(out, Major::tag, kEpochTag);
    append_double(out, static_cast<double>(time->ms) / 1000);
  } else if (const Value::List* list = value.elements()) {
    append_head(out, Major::array, list->size());
    for (const Value& element : *list) append_cbor(out, element);
  } else if (const Value::Members* members = value.members()) {
    append_head(out, Major::map, members->size());
    for (const auto& [name, member] : *members) {
      append_head(out, Major::text, name.size());
      out += name;
      append_cbor(out, member);
    }
  } else {
    out.push_back(static_cast<char>(0xf6));
  }
}

}  // namespace

Result<Value> decode_cbor(std::string_view body) {
  if (body.empty()) return Value::structure();
  return Decoder(body).document();
}

std::string encode_cbor(const Value& value) {
  std::string out;
  append_cbor(out, value);
  return out;
}

}  // namespace stator::service
