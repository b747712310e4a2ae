#include <nlohmann/json.hpp>
#include <string_view>

#include "base/check.h"
#include "trigger/filter.h"

namespace {

const nlohmann::json& record() {
  static const nlohmann::json kRecord = nlohmann::json::parse(R"({"eventName":"MODIFY","dynamodb":{
    "Keys":{"PK":{"S":"a"}},"NewImage":{"s":{"S":"text"},"n":{"N":"1"},"l":{"L":[{"S":"x"},{"M":{"y":{"BOOL":true}}}]},
    "ss":{"SS":["a","b"]},"e":{"L":[]}},"SizeBytes":26,"x":null}})");
  return kRecord;
}

}  // namespace

// Any text is refused with a reason or gives a pattern that can be asked about any record. The input is taken as a
// pattern, and where it is JSON also as the record.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stator::trigger;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Filters filters;
  const auto added = filters.add(text);
  CHECK(added || !added.error().message.empty());
  static_cast<void>(filters.matches(record()));
  const auto pattern = FilterPattern::parse(text);
  if (!pattern) return 0;
  const bool matches = pattern->matches(record());
  const Json document = Json::parse(text);
  static_cast<void>(pattern->matches(document));
  // The order of fields and spaces in a pattern have no meaning.
  const auto again = FilterPattern::parse(document.dump(2));
  CHECK(again);
  CHECK(again->matches(record()) == matches);
  return 0;
}
