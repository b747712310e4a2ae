#include "design/collide.h"

#include <algorithm>
#include <bitset>
#include <deque>
#include <map>

namespace stator::design {
namespace {

using Characters = std::bitset<256>;

Characters only(char c) { return Characters().set(static_cast<unsigned char>(c)); }

Characters range(char first, char last) {
  Characters set;
  for (int c = first; c <= last; ++c) set.set(static_cast<std::size_t>(c));
  return set;
}

// A text automaton: states are numbers, an edge takes one character of a set, a skip takes none.
class Automaton {
 public:
  Automaton() { add_state(); }

  struct Edge {
    Characters characters;
    std::size_t target;
  };
  struct State {
    std::vector<Edge> edges;
    std::vector<std::size_t> skips;
  };

  std::size_t add_state() {
    states_.emplace_back();
    return states_.size() - 1;
  }

  // Each appends to the end of what there is.
  void one(const Characters& set) {
    const std::size_t next = add_state();
    states_[end_].edges.push_back({set, next});
    end_ = next;
  }
  void text(std::string_view text) {
    for (const char c : text) one(only(c));
  }
  void many(const Characters& set) {  // one or more
    one(set);
    states_[end_].edges.push_back({set, end_});
  }
  void any_or_nothing() { states_[end_].edges.push_back({Characters().set(), end_}); }
  void optional_text(const std::vector<std::string>& alternatives, bool may_be_empty) {
    const std::size_t start = end_;
    const std::size_t finish = add_state();
    for (const std::string& alternative : alternatives) {
      end_ = start;
      text(alternative);
      states_[end_].skips.push_back(finish);
    }
    if (may_be_empty) states_[start].skips.push_back(finish);
    end_ = finish;
  }
  // What follows until end_optional() may be left out.
  [[nodiscard]] std::size_t begin_optional() const { return end_; }
  void end_optional(std::size_t start) {
    const std::size_t finish = add_state();
    states_[end_].skips.push_back(finish);
    states_[start].skips.push_back(finish);
    end_ = finish;
  }

  [[nodiscard]] const State& state(std::size_t number) const { return states_[number]; }
  [[nodiscard]] std::size_t end() const { return end_; }

 private:
  std::vector<State> states_;
  std::size_t end_ = 0;
};

void add_time(Automaton& automaton, std::size_t length) {
  constexpr std::string_view kPattern = "dddd-dd-ddTdd:dd:dd";
  for (std::size_t i = 0; i < length; ++i) automaton.one(kPattern[i] == 'd' ? range('0', '9') : only(kPattern[i]));
}

std::vector<std::string> in_case(std::vector<std::string> values, FormatKind kind) {
  for (std::string& value : values) {
    if (Result<std::string> changed = format_value(value, Format{kind, 0, 0, {}})) value = std::move(*changed);
  }
  return values;
}

void add_shape(Automaton& automaton, const FieldShape& field, FormatKind kind, char delimiter) {
  const Characters word = ~only(delimiter);
  switch (field.shape) {
    case TextShape::word:
      automaton.many(word);
      break;
    case TextShape::free:
      automaton.many(Characters().set());
      break;
    case TextShape::digits:
      automaton.many(range('0', '9'));
      break;
    case TextShape::number: {
      automaton.optional_text({"-"}, true);
      automaton.many(range('0', '9'));
      const std::size_t decimals = automaton.begin_optional();
      automaton.text(".");
      automaton.many(range('0', '9'));
      automaton.end_optional(decimals);
      break;
    }
    case TextShape::day:
      add_time(automaton, 10);
      break;
    case TextShape::time: {
      add_time(automaton, 19);
      const std::size_t rest = automaton.begin_optional();
      automaton.many(word);
      automaton.end_optional(rest);
      break;
    }
    case TextShape::one_of:
      automaton.optional_text(in_case(field.values, kind), false);
      break;
  }
}

void add_part(Automaton& automaton, const Part& part, const ShapeOf& shape_of, char delimiter) {
  if (part.kind == PartKind::literal) {
    automaton.text(part.text);
  } else if (part.kind == PartKind::shard) {
    std::vector<std::string> numbers;
    for (int i = 0; i < part.shard_count; ++i) numbers.push_back(std::to_string(i));
    automaton.optional_text(numbers, false);
  } else if (part.format.kind == FormatKind::number) {
    const int whole = part.format.width - (part.format.decimals > 0 ? part.format.decimals + 1 : 0);
    for (int i = 0; i < whole; ++i) automaton.one(range('0', '9'));
    if (part.format.decimals > 0) automaton.text(".");
    for (int i = 0; i < part.format.decimals; ++i) automaton.one(range('0', '9'));
  } else if (part.format.kind == FormatKind::time) {
    constexpr std::size_t kLengths[] = {4, 7, 10, 13, 16, 19};
    add_time(automaton, kLengths[static_cast<std::size_t>(part.format.unit)]);
  } else {
    add_shape(automaton, shape_of ? shape_of(part.text) : FieldShape{}, part.format.kind, delimiter);
  }
}

Automaton automaton_of(const Template& key, const ShapeOf& shape_of, char delimiter) {
  Automaton automaton;
  for (const Part& part : key.parts()) add_part(automaton, part, shape_of, delimiter);
  return automaton;
}

// A character that reads well in a message.
char example_character(const Characters& set) {
  for (const char c : std::string_view("x1A")) {
    if (set.test(static_cast<unsigned char>(c))) return c;
  }
  for (int c = 33; c < 127; ++c) {
    if (set.test(static_cast<std::size_t>(c))) return static_cast<char>(c);
  }
  for (std::size_t c = 0; c < 256; ++c) {
    if (set.test(c)) return static_cast<char>(c);
  }
  return '?';
}

// A shortest text that both automata accept: breadth first over pairs of states.
std::optional<std::string> shortest_common(const Automaton& a, const Automaton& b) {
  using Pair = std::pair<std::size_t, std::size_t>;
  struct Origin {
    Pair from;
    char character;  // 0: a skip
  };
  std::map<Pair, Origin> seen;
  std::deque<Pair> waiting{{0, 0}};
  seen[{0, 0}] = {{0, 0}, 0};
  const Pair goal{a.end(), b.end()};
  while (!waiting.empty()) {
    const Pair here = waiting.front();
    waiting.pop_front();
    if (here == goal) break;
    const auto go = [&](Pair next, char character) {
      if (!seen.emplace(next, Origin{here, character}).second) return;
      if (character == 0) {
        waiting.push_front(next);
      } else {
        waiting.push_back(next);
      }
    };
    for (const std::size_t skip : a.state(here.first).skips) go({skip, here.second}, 0);
    for (const std::size_t skip : b.state(here.second).skips) go({here.first, skip}, 0);
    for (const Automaton::Edge& left : a.state(here.first).edges) {
      for (const Automaton::Edge& right : b.state(here.second).edges) {
        const Characters both = left.characters & right.characters;
        if (both.any()) go({left.target, right.target}, example_character(both));
      }
    }
  }
  if (!seen.contains(goal)) return std::nullopt;
  std::string text;
  for (Pair at = goal; at != Pair{0, 0};) {
    const Origin& origin = seen[at];
    if (origin.character != 0) text += origin.character;
    at = origin.from;
  }
  std::reverse(text.begin(), text.end());
  return text;
}

}  // namespace

std::optional<std::string> common_text(const Template& a, const ShapeOf& shape_a, const Template& b,
                                       const ShapeOf& shape_b, char delimiter) {
  return shortest_common(automaton_of(a, shape_a, delimiter), automaton_of(b, shape_b, delimiter));
}

std::optional<std::string> common_prefix_text(const Template& prefix, const ShapeOf& shape_prefix,
                                              const Template& whole, const ShapeOf& shape_whole, char delimiter) {
  Automaton open = automaton_of(prefix, shape_prefix, delimiter);
  open.any_or_nothing();
  return shortest_common(open, automaton_of(whole, shape_whole, delimiter));
}

}  // namespace stator::design
