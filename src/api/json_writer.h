#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "base/buffer.h"
#include "engine/capacity.h"
#include "item/stored_item.h"

namespace stator::api {

// Writes the JSON of an answer. Puts the commas; the caller keeps begin and end in pairs.
class JsonWriter {
 public:
  explicit JsonWriter(base::Buffer& out) : out_(out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  // Our own member names: nothing in them needs escaping.
  JsonWriter& key(std::string_view name) {
    separate();
    out_.push_back('"');
    out_.append(name);
    out_.append("\":");
    comma_ = false;
    return *this;
  }
  // Names that users chose.
  JsonWriter& user_key(std::string_view name) {
    separate();
    quote(name);
    out_.push_back(':');
    comma_ = false;
    return *this;
  }
  JsonWriter& string(std::string_view text) {
    separate();
    quote(text);
    return done();
  }
  JsonWriter& integer(std::int64_t value) { return raw(fmt::format_int(value).c_str()); }
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  // Text that is JSON already, such as an item.
  JsonWriter& raw(std::string_view json) {
    separate();
    out_.append(json);
    return done();
  }
  // 0.5, 1.0, 12.5
  JsonWriter& units(engine::HalfUnits halves) {
    return raw(fmt::format("{}.{}", halves / 2, halves % 2 == 0 ? '0' : '5'));
  }
  // Milliseconds since the epoch as seconds with a fraction, the protocol's form of a time.
  JsonWriter& time(std::int64_t ms) { return raw(fmt::format("{}.{:03}", ms / 1000, ms % 1000)); }
  JsonWriter& real(double value) { return raw(fmt::format("{:.1f}", value)); }

  [[nodiscard]] base::Buffer& out() { return out_; }
  // Tells that a value has been appended to out() directly.
  void wrote_value() { comma_ = true; }

 private:
  JsonWriter& open(char bracket) {
    separate();
    out_.push_back(bracket);
    comma_ = false;
    return *this;
  }
  JsonWriter& close(char bracket) {
    out_.push_back(bracket);
    return done();
  }
  JsonWriter& done() {
    comma_ = true;
    return *this;
  }
  void separate() {
    if (comma_) out_.push_back(',');
  }
  void quote(std::string_view text) {
    out_.push_back('"');
    item::append_escaped(out_, text);
    out_.push_back('"');
  }

  base::Buffer& out_;
  bool comma_ = false;
};

}  // namespace stator::api
