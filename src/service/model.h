#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/value.h"

namespace stator::service {

// What the text of a string has to be made of.
enum class Pattern : std::uint8_t {
  none,
  xml_text,         // what XML can carry: the answers of the Query protocol are XML
  no_control,       // no control characters, no line breaks
  printable,        // no control characters, in the words of another shape
  printable_ascii,  // space to tilde
  no_leading_colon, // and XML can carry it
  action_name,      // no control characters, none of : / |, no space at an end
};

// A shape of a service's public model. The tables of them (shapes.cc of each service) are written by make_shapes.py.
struct Shape {
  enum class Kind : std::uint8_t { structure, list, map, string, integer, real, boolean, time };
  std::string_view name;
  Kind kind;
  // Characters of a string, elements of a list or a map, the value of an integer or a real, seconds of a time.
  double min = 0;
  double max = 0;
  // A string: the values that it may have, all where empty. A list: its element's shape. A map: those of key and value. A
  // structure: `Member:Shape` or, where it is required, `Member!:Shape`.
  std::string_view content = {};
  Pattern pattern = Pattern::none;
};

// How a service says that a member is missing, and that members break limits.
struct Wording {
  tl::unexpected<Error> (*missing)(std::string_view member, std::string_view path);  // Dimensions.member.1.Name, dimensions.1.member.name
  tl::unexpected<Error> (*violation)(std::string message);
};

// The requests of a service by their shapes: one place for every limit on count, length, range, enum and depth. Built once;
// then used from many threads.
class Model {
 public:
  Model(std::span<const Shape> shapes, Wording wording);

  // What a request, or a stored form of one, says in terms of the model: known members alone, each of its type (the Query protocol
  // carries texts) and within its limits. The shape of a request has the name of its operation. Errors are the
  // service's: first a member of a wrong type, then a missing one, then all limits that are broken.
  [[nodiscard]] Result<Value> check(std::string_view operation, const Value& input) const;

 private:
  friend class ModelCheck;
  struct Node;
  struct Member {
    std::string_view name;
    const Node* node = nullptr;
    bool required = false;
    std::size_t place = 0;  // in the order of the model
  };
  struct Node {
    const Shape* shape = nullptr;
    std::vector<Member> members;  // of a structure, by name
    const Node* key = nullptr;
    const Node* element = nullptr;  // of a list or a map
    std::vector<std::string_view> names;
  };
  std::map<std::string_view, Node> nodes_;
  Wording wording_;
};

}  // namespace stator::service
