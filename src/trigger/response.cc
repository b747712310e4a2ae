#include "trigger/response.h"

#include <algorithm>

namespace stator::trigger {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

BatchResponse all_failed(std::string message) { return {0, std::move(message)}; }

std::optional<std::size_t> find_identifier(const Json& failure, std::span<const Record> batch) {
  if (!failure.is_object()) return std::nullopt;
  const auto identifier = failure.find("itemIdentifier");
  if (identifier == failure.end() || !identifier->is_string()) return std::nullopt;
  const auto found = std::find_if(batch.begin(), batch.end(), [&](const Record& record) {
    return record.sequence_number == identifier->get_ref<const std::string&>();
  });
  if (found == batch.end()) return std::nullopt;
  return static_cast<std::size_t>(found - batch.begin());
}

}  // namespace

BatchResponse read_response(std::string_view response, std::span<const Record> batch) {
  const std::string_view text = trim(response);
  if (text.empty()) return {};
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) document = Json::parse(trim(text.substr(text.rfind('\n') + 1)), nullptr, false);
  if (document.is_null()) return {};
  if (!document.is_object()) return all_failed("the response is not a JSON object with batchItemFailures");
  const auto failures = document.find("batchItemFailures");
  if (failures == document.end() || failures->is_null()) return {};
  if (!failures->is_array()) return all_failed("batchItemFailures in the response is not a list");
  std::optional<std::size_t> first;
  for (const Json& failure : *failures) {
    const std::optional<std::size_t> index = find_identifier(failure, batch);
    if (!index) return all_failed("batchItemFailures in the response names a sequence number that is not in the batch");
    first = std::min(first.value_or(*index), *index);
  }
  if (!first) return {};
  return {first, "the response names " + std::to_string(failures->size()) + " of its records in batchItemFailures"};
}

}  // namespace stator::trigger
