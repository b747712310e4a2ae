#include "client/stream_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace stator::client {
namespace {

constexpr int kRecordsPerPage = 1000;

// "https://dynamodb.eu-west-1.amazonaws.com" has its streams at "https://streams.dynamodb.eu-west-1.amazonaws.com".
std::string streams_endpoint(const std::string& endpoint) {
  const std::size_t host = endpoint.find("://");
  if (host == std::string::npos || endpoint.find("amazonaws.com") == std::string::npos) return endpoint;
  if (endpoint.compare(host + 3, 9, "dynamodb.") != 0) return endpoint;
  std::string text = endpoint;
  text.insert(host + 3, "streams.");
  return text;
}

std::string text_of(const Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The list under `name`, or an empty one.
const Json& list_of(const Json& object, const char* name) {
  static const Json kNone = Json::array();
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() && found->is_array() ? *found : kNone;
}

}  // namespace

Result<std::unique_ptr<StreamSource>> StreamSource::create(const Options& options) {
  TRY(auto tables, Client::create(options));
  std::unique_ptr<StreamSource> source(new StreamSource(std::move(tables)));
  Options of_streams = source->tables_->options();
  of_streams.endpoint = streams_endpoint(of_streams.endpoint);
  if (of_streams.endpoint != source->tables_->options().endpoint) {
    TRY(source->streams_, Client::create(of_streams));
  }
  return source;
}

Result<StreamName> StreamSource::current_stream(const std::string& table) {
  TRY(const Json answer, tables_->call("DynamoDB_20120810.DescribeTable", {{"TableName", table}}));
  const Json& description = answer.is_object() && answer.contains("Table") ? answer["Table"] : answer;
  const bool enabled = description.is_object() && description.contains("StreamSpecification") &&
                       description["StreamSpecification"].value("StreamEnabled", false);
  if (!enabled) {
    return invalid(fmt::format(
        "table {} has no stream; enable one: aws dynamodb update-table --table-name {} --stream-specification "
        "StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES",
        table, table));
  }
  return StreamName{text_of(description, "LatestStreamArn"), text_of(description, "LatestStreamLabel")};
}

Result<std::vector<StreamName>> StreamSource::streams(const std::string& table) {
  std::vector<StreamName> names;
  Json request = {{"TableName", table}};
  while (true) {
    TRY(const Json answer, streams_client().call("DynamoDBStreams_20120810.ListStreams", request));
    for (const Json& stream : list_of(answer, "Streams")) {
      names.push_back({text_of(stream, "StreamArn"), text_of(stream, "StreamLabel")});
    }
    const std::string last = text_of(answer, "LastEvaluatedStreamArn");
    if (last.empty()) break;
    request["ExclusiveStartStreamArn"] = last;
  }
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.label < b.label; });
  return names;
}

Result<ShardList> StreamSource::shards(const std::string& stream_arn) {
  ShardList list;
  Json request = {{"StreamArn", stream_arn}};
  while (true) {
    TRY(const Json answer, streams_client().call("DynamoDBStreams_20120810.DescribeStream", request));
    const Json& description =
        answer.is_object() && answer.contains("StreamDescription") ? answer["StreamDescription"] : answer;
    const std::string status = text_of(description, "StreamStatus");
    list.enabled = status == "ENABLED" || status == "ENABLING";
    for (const Json& shard : list_of(description, "Shards")) {
      const bool closed =
          shard.contains("SequenceNumberRange") && shard["SequenceNumberRange"].contains("EndingSequenceNumber");
      list.shards.push_back({text_of(shard, "ShardId"), text_of(shard, "ParentShardId"), closed});
    }
    const std::string last = text_of(description, "LastEvaluatedShardId");
    if (last.empty()) return list;
    request["ExclusiveStartShardId"] = last;
  }
}

Result<std::string> StreamSource::iterator(const std::string& stream_arn, const std::string& shard,
                                           const std::string& type, const std::string& sequence_number) {
  Json request = {{"StreamArn", stream_arn}, {"ShardId", shard}, {"ShardIteratorType", type}};
  if (!sequence_number.empty()) request["SequenceNumber"] = sequence_number;
  TRY(const Json answer, streams_client().call("DynamoDBStreams_20120810.GetShardIterator", request));
  return text_of(answer, "ShardIterator");
}

Result<RecordPage> StreamSource::records(const std::string& iterator) {
  TRY(Json answer, streams_client().call("DynamoDBStreams_20120810.GetRecords",
                                         {{"ShardIterator", iterator}, {"Limit", kRecordsPerPage}}));
  RecordPage page;
  const std::string next = text_of(answer, "NextShardIterator");
  if (!next.empty()) page.next = next;
  if (answer.is_object() && answer.contains("Records") && answer["Records"].is_array()) {
    page.records = std::move(answer["Records"]);
  }
  return page;
}

}  // namespace stator::client
