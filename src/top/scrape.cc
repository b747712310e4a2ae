#include "top/scrape.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace stator::top {
namespace {

// The value of a label, from behind its opening quote to its closing one.
std::optional<std::string> read_quoted(std::string_view line, std::size_t& at) {
  std::string value;
  for (; at < line.size(); ++at) {
    if (line[at] == '"') {
      ++at;
      return value;
    }
    if (line[at] == '\\' && at + 1 < line.size()) {
      ++at;
      value.push_back(line[at] == 'n' ? '\n' : line[at]);
    } else {
      value.push_back(line[at]);
    }
  }
  return std::nullopt;
}

// {name="value",name="value"}; `at` is on the brace.
bool read_labels(std::string_view line, std::size_t& at, Sample& sample) {
  ++at;
  while (at < line.size() && line[at] != '}') {
    const std::size_t equals = line.find("=\"", at);
    if (equals == std::string_view::npos) return false;
    const std::string name(line.substr(at, equals - at));
    at = equals + 2;
    std::optional<std::string> value = read_quoted(line, at);
    if (!value) return false;
    sample.labels[name] = std::move(*value);
    if (at < line.size() && line[at] == ',') ++at;
  }
  if (at == line.size()) return false;
  ++at;
  return true;
}

std::optional<Sample> parse_line(std::string_view line) {
  if (line.empty() || line.front() == '#') return std::nullopt;
  Sample sample;
  std::size_t at = line.find_first_of("{ ");
  if (at == std::string_view::npos) return std::nullopt;
  sample.name = std::string(line.substr(0, at));
  if (line[at] == '{' && !read_labels(line, at, sample)) return std::nullopt;
  const std::string number(line.substr(at));
  char* end = nullptr;
  sample.value = std::strtod(number.c_str(), &end);
  if (end == number.c_str()) return std::nullopt;
  return sample;
}

}  // namespace

std::string_view Sample::label(std::string_view label_name) const {
  const auto found = labels.find(label_name);
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

std::vector<Sample> parse_samples(std::string_view text) {
  std::vector<Sample> samples;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (std::optional<Sample> sample = parse_line(text.substr(0, end))) samples.push_back(std::move(*sample));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return samples;
}

}  // namespace stator::top
