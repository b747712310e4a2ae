#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "request_maker.h"

namespace stator::differential {

class RequestMaker::Body {
 public:
  Body() = default;
  explicit Body(std::string_view table) { text("TableName", table); }

  // `json` is JSON already.
  void add(std::string_view name, std::string_view json) {
    members_ += fmt::format(R"({}"{}":{})", members_.empty() ? "" : ",", name, json);
  }
  void text(std::string_view name, std::string_view value) {
    add(name, fmt::format("\"{}\"", value));
  }
  [[nodiscard]] std::string json() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace stator::differential
