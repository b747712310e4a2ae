#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "service/model.h"

namespace stator::fuzz {

// The bytes of an input, taken from the front; zeros behind its end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}
  [[nodiscard]] bool empty() const { return rest_.empty(); }
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  std::string text(std::size_t size) {
    const std::string text(rest_.substr(0, size));
    rest_.remove_prefix(text.size());
    return text;
  }

 private:
  std::string_view rest_;
};

// Makes requests of a table of shapes: each member absent, right, or at or beyond one of its limits, as the bytes choose.
class ShapeMaker {
 public:
  ShapeMaker(std::span<const service::Shape> shapes, Bytes& bytes) : bytes_(bytes) {
    for (const service::Shape& shape : shapes) by_name_[shape.name] = &shape;
  }

  service::Value make(std::string_view name) {
    const service::Shape& shape = *by_name_.at(name);
    const std::uint8_t choice = bytes_.byte();
    switch (shape.kind) {
      case service::Shape::Kind::structure:
        return structure(shape);
      case service::Shape::Kind::list: {
        service::Value list = service::Value::list();
        // One or two elements, or one more than there may be, the same again.
        const service::Value element = make(shape.content);
        const auto count = choice == 255 ? shape.max + 1 : choice % 3;
        for (int i = 0; i < count; ++i) list.push(element);
        return list;
      }
      case service::Shape::Kind::map:
        return service::Value::map().set(bytes_.text(choice % 16), bytes_.text(choice % 16));
      case service::Shape::Kind::string:
        return string(shape, choice);
      case service::Shape::Kind::integer:
        return static_cast<std::int64_t>(number(shape, choice));
      case service::Shape::Kind::real:
        return number(shape, choice);
      case service::Shape::Kind::boolean:
        return choice % 2 == 0;
      case service::Shape::Kind::time:
        return service::Time{static_cast<std::int64_t>(number(shape, choice)) * 1000};
    }
    return {};
  }

 private:
  service::Value structure(const service::Shape& shape) {
    service::Value value = service::Value::structure();
    std::string_view rest = shape.content;
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      const std::size_t colon = word.find(':');
      const bool required = word[colon - 1] == '!';
      const std::uint8_t choice = bytes_.byte();
      if (required ? choice == 255 : choice % 2 == 0) continue;
      value.set(word.substr(0, required ? colon - 1 : colon), make(word.substr(colon + 1)));
    }
    return value;
  }

  service::Value string(const service::Shape& shape, std::uint8_t choice) {
    if (!shape.content.empty()) {
      // One of the values; the last choice is none of them.
      if (choice == 255) return "none";
      std::string_view rest = shape.content;
      for (int i = choice % 32; i > 0 && rest.find(' ') != std::string_view::npos; --i) rest.remove_prefix(rest.find(' ') + 1);
      return rest.substr(0, rest.find(' '));
    }
    switch (choice % 16) {
      case 0:
        return bytes_.text(bytes_.byte());
      case 1:
        return std::string(static_cast<std::size_t>(shape.max), 'x');
      case 2:
        return std::string(static_cast<std::size_t>(shape.max) + 1, 'x');
      case 3:
        return "";
      case 4:
        return "table/x";
      case 5:
        return "rate(1 day)";
      case 6:
        return "cron(" + bytes_.text(bytes_.byte() % 64) + ")";
      case 7:
        return "http://127.0.0.1/";
      case 8:
        return "FILL(x, 0)";
      case 9:
        return "Sum";
      case 10:
        return "p99";
      case 11:
        return "AWS/DynamoDB";
      default:
        return "x";
    }
  }

  double number(const service::Shape& shape, std::uint8_t choice) {
    switch (choice % 8) {
      case 0:
        return shape.min;
      case 1:
        return shape.max;
      case 2:
        return shape.min - 1;
      case 3:
        return shape.max < 0x1p60 ? shape.max + 1 : HUGE_VAL;
      case 4:
        return 60;
      case 5:
        return 1'780'272'000;
      default:
        return bytes_.byte();
    }
  }

  std::map<std::string_view, const service::Shape*> by_name_;
  Bytes& bytes_;
};

}  // namespace stator::fuzz
