#include "trigger/event.h"

#include <functional>

namespace stator::trigger {

Result<void> to_lambda_record(Json& record, const std::string& stream_arn) {
  const auto change = record.is_object() ? record.find("dynamodb") : record.end();
  if (!record.is_object() || change == record.end() || !change->is_object() || !change->contains("Keys") ||
      !change->contains("SequenceNumber") || !(*change)["SequenceNumber"].is_string()) {
    return fail(ErrorCode::unavailable, "GetRecords gave a record without Keys or SequenceNumber");
  }
  const auto created = change->find("ApproximateCreationDateTime");
  if (created != change->end() && created->is_number()) *created = created->get<double>();
  record["eventSourceARN"] = stream_arn;
  if (const auto identity = record.find("userIdentity"); identity != record.end() && identity->is_object()) {
    Json renamed = Json::object();
    if (identity->contains("PrincipalId")) renamed["principalId"] = (*identity)["PrincipalId"];
    if (identity->contains("Type")) renamed["type"] = (*identity)["Type"];
    *identity = std::move(renamed);
  }
  return {};
}

Record make_record(const Json& lambda_record) {
  const Json& change = lambda_record.at("dynamodb");
  Record record;
  record.sequence_number = change.at("SequenceNumber").get<std::string>();
  record.created_ms = static_cast<std::int64_t>(change.value("ApproximateCreationDateTime", 0.0) * 1000);
  // Members of a Json object are sorted, so one key has one text.
  record.key_hash = std::hash<std::string>()(change.at("Keys").dump());
  record.text = lambda_record.dump();
  return record;
}

std::string lambda_event(std::span<const Record> records) {
  std::size_t bytes = 16;
  for (const Record& record : records) bytes += record.text.size() + 1;
  std::string event;
  event.reserve(bytes);
  event += "{\"Records\":[";
  for (const Record& record : records) {
    if (&record != records.data()) event += ',';
    event += record.text;
  }
  event += "]}";
  return event;
}

}  // namespace stator::trigger
