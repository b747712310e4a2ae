#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/client.h"

namespace stator::client {

struct StreamName {
  std::string arn;
  std::string label;  // the time of enabling: later streams of a table have greater ones
};

struct Shard {
  std::string id;
  std::string parent;  // empty: none
  bool closed = false;
};

struct ShardList {
  bool enabled = false;  // the stream takes new records
  std::vector<Shard> shards;
};

struct RecordPage {
  Json records = Json::array();     // as GetRecords gives them
  std::optional<std::string> next;  // nothing: the shard has ended
};

// The stream of a table, read over the API. One thread at a time.
class StreamSource {
 public:
  [[nodiscard]] static Result<std::unique_ptr<StreamSource>> create(const Options& options);

  // The stream that the table has now. An error says what to do where there is no table or no stream.
  [[nodiscard]] Result<StreamName> current_stream(const std::string& table);
  // All streams under the table's name that can still be read, oldest first.
  [[nodiscard]] Result<std::vector<StreamName>> streams(const std::string& table);
  [[nodiscard]] Result<ShardList> shards(const std::string& stream_arn);

  [[nodiscard]] Result<std::string> iterator(const std::string& stream_arn, const std::string& shard,
                                             const std::string& type, const std::string& sequence_number = "");
  [[nodiscard]] Result<RecordPage> records(const std::string& iterator);

  [[nodiscard]] const Options& options() const { return tables_->options(); }

 private:
  explicit StreamSource(std::unique_ptr<Client> tables) : tables_(std::move(tables)) {}
  Client& streams_client() { return streams_ ? *streams_ : *tables_; }

  std::unique_ptr<Client> tables_;
  std::unique_ptr<Client> streams_;  // only where streams have an endpoint of their own, as in AWS
};

}  // namespace stator::client
