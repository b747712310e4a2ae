#include "design/migrate/prepare.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "client/client.h"
#include "client/stream_source.h"
#include "design/deploy/table_definition.h"
#include "design/migrate/sync.h"

namespace stator::design {

namespace {

using client::Json;

constexpr int kWaitMs = 200;
constexpr const char* kUpdateTable = "DynamoDB_20120810.UpdateTable";

const Json* index_in(const Json& table, const std::string& name) {
  const auto list = table.find("GlobalSecondaryIndexes");
  if (list == table.end()) return nullptr;
  for (const Json& index : *list)
    if (index.value("IndexName", "") == name) return &index;
  return nullptr;
}

bool settled(const Json& table) {
  if (table.value("TableStatus", "") != "ACTIVE") return false;
  const Json indexes = table.value("GlobalSecondaryIndexes", Json::array());
  return std::all_of(indexes.begin(), indexes.end(),
                     [](const Json& index) { return index.value("IndexStatus", "ACTIVE") == "ACTIVE"; });
}

class Preparation {
 public:
  Preparation(Migration& migration, client::Client& client) : migration_(migration), client_(client) {}

  Result<std::vector<std::string>> prepare() {
    TRY_VOID(migration_.check_sources());
    const auto& sources = migration_.sources();
    const bool has_home = std::any_of(sources.begin(), sources.end(), [](const Source& one) { return one.in_place(); });
    TRY(const Json status, migration_.status());
    if (!has_home) TRY_VOID(create_target(status.contains("started_ms")));
    if (has_home) TRY_VOID(build_indexes());
    // The time before the streams are looked at: what is written from here on is in them.
    const std::int64_t now_ms = base::SystemClock().now_ms();
    Json streams = Json::object();
    Json shards = Json::object();
    std::vector<std::string> turned_on;
    for (const Source& source : sources) {
      if (!source.has_work()) continue;
      TRY(const std::string arn, stream_of(source, turned_on));
      streams[source.table()] = arn;
      TRY(shards[source.table()], open_shards(arn));
    }
    TRY_VOID(migration_.update_status([&](Json& document) {
      if (!document.contains("started_ms") || document["streams"] != streams) {
        document["started_ms"] = now_ms;
        document["streams"] = streams;
        document["shards"] = shards;
      }
      Json& ours = document["turned_on"];
      if (!ours.is_array()) ours = Json::array();
      for (const std::string& table : turned_on) ours.push_back(table);
    }));
    return std::move(done_);
  }

  Result<std::vector<std::string>> finish() {
    TRY(const Json status, migration_.prepared());
    if (status.value("finished", false)) return std::vector<std::string>{"finished already"};
    if (!status.value("validated", false) && !migration_.options().force) {
      return invalid("the migration is not validated; call `migrate validate` first, or finish it with --force");
    }
    Sync sync(migration_);
    TRY(const SyncReport last, sync.run(SyncUntil::caught_up));
    done_.push_back(fmt::format("{} changes were left in the streams, {} items written", last.records, last.written));
    TRY_VOID(remove_indexes());
    TRY_VOID(turn_off(status.value("turned_on", Json::array())));
    TRY_VOID(set_stream());
    TRY_VOID(set_expiry());
    TRY_VOID(drop_sources());
    TRY_VOID(migration_.update_status([](Json& document) { document["finished"] = true; }));
    return std::move(done_);
  }

 private:
  Result<Json> wait_until_settled(const std::string& table) {
    while (true) {
      TRY(Json description, describe_table(client_, table));
      if (settled(description)) return description;
      if (migration_.stop().wait_ms(kWaitMs)) return tl::unexpected<Error>(interrupted_waiting(table));
    }
  }

  static Error interrupted_waiting(const std::string& table) {
    return Error{ErrorCode::unavailable, fmt::format("stopped while table {} was being changed; call it again", table)};
  }

  // Without expiry and stream: nothing vanishes while items are compared, and nobody is told of copies.
  Result<void> create_target(bool ours) {
    Model bare = migration_.target();
    bare.table.stream_view.clear();
    for (Entity& entity : bare.entities) entity.ttl_attribute.clear();
    TRY(const std::string done, create_table(client_, bare));
    done_.push_back(fmt::format("table {} {}", bare.table.name, done == "created" ? "created" : "is there"));
    if (done == "created" || ours || migration_.options().force) return {};
    TRY(const Json some,
        client_.call("DynamoDB_20120810.Scan", {{"TableName", bare.table.name}, {"Limit", 1}, {"Select", "COUNT"}}));
    if (some.value("Count", 0) == 0) return {};
    return invalid(
        fmt::format("table {} is there and has items that this migration did not write; name another one with "
                    "--target, or go on with --force",
                    bare.table.name));
  }

  // One at a time: a table takes one change of its indexes at once.
  Result<void> build_indexes() {
    const Model& model = migration_.target();
    const Json wanted = create_table_request(model);
    for (const Json& index : wanted.value("GlobalSecondaryIndexes", Json::array())) {
      TRY(const Json table, wait_until_settled(model.table.name));
      const std::string name = index.value("IndexName", "");
      if (index_in(table, name) != nullptr) continue;
      Json definitions = Json::array();
      for (const Json& definition : wanted["AttributeDefinitions"]) {
        for (const Json& key : index["KeySchema"])
          if (key["AttributeName"] == definition["AttributeName"]) definitions.push_back(definition);
      }
      TRY_VOID(client_.call(kUpdateTable, {{"TableName", model.table.name},
                                           {"AttributeDefinitions", definitions},
                                           {"GlobalSecondaryIndexUpdates", {{{"Create", index}}}}}));
      TRY_VOID(wait_until_settled(model.table.name));
      done_.push_back(fmt::format("index {} built", name));
    }
    return {};
  }

  // The ARN of the stream, turned on if need be.
  Result<std::string> stream_of(const Source& source, std::vector<std::string>& turned_on) {
    TRY(Json table, describe_table(client_, source.table()));
    const Json specification = table.value("StreamSpecification", Json::object());
    if (!specification.value("StreamEnabled", false)) {
      TRY_VOID(client_.call(kUpdateTable, {{"TableName", source.table()},
                                           {"StreamSpecification",
                                            {{"StreamEnabled", true}, {"StreamViewType", "NEW_AND_OLD_IMAGES"}}}}));
      TRY(table, wait_until_settled(source.table()));
      done_.push_back(fmt::format("stream of {} turned on", source.table()));
      turned_on.push_back(source.table());
    } else {
      TRY_VOID(check_view(source, specification.value("StreamViewType", "")));
      done_.push_back(fmt::format("stream of {} is on", source.table()));
    }
    return table.value("LatestStreamArn", std::string());
  }

  // Where changes are from now on: a shard that is gone before it was read is a loss that has to be noticed.
  Result<Json> open_shards(const std::string& arn) {
    TRY(const auto stream, client::StreamSource::create(migration_.options().connection));
    TRY(const client::ShardList list, stream->shards(arn));
    Json ids = Json::array();
    for (const client::Shard& shard : list.shards)
      if (!shard.closed) ids.push_back(shard.id);
    return ids;
  }

  // A deleted item is found in the target by what the stream says of it.
  Result<void> check_view(const Source& source, const std::string& view) {
    if (source.in_place() || view == "NEW_AND_OLD_IMAGES" || view == "OLD_IMAGE") return {};
    for (const EntityPath& path : source.transform->paths()) {
      if (path.after == nullptr || path.before == nullptr || source.transform->key_is_enough(path)) continue;
      return invalid(
          fmt::format("the stream of {} has {} only, and the new key of {} needs what its old key does not say: "
                      "deletions could not be "
                      "followed. Turn it off and on with NEW_AND_OLD_IMAGES, when its readers can bear it",
                      source.table(), view, path.before->name));
    }
    return {};
  }

  Result<void> remove_indexes() {
    for (const Source& source : migration_.sources()) {
      if (!source.in_place()) continue;
      for (const Index& index : source.transform->before().indexes) {
        if (index.kind != IndexKind::global || migration_.target().index(index.name) != nullptr) continue;
        TRY(const Json table, wait_until_settled(source.table()));
        if (index_in(table, index.name) == nullptr) continue;
        TRY_VOID(
            client_.call(kUpdateTable, {{"TableName", source.table()},
                                        {"GlobalSecondaryIndexUpdates", {{{"Delete", {{"IndexName", index.name}}}}}}}));
        TRY_VOID(wait_until_settled(source.table()));
        done_.push_back(fmt::format("index {} removed", index.name));
      }
    }
    return {};
  }

  Result<void> turn_off(const Json& tables) {
    for (const Json& name : tables) {
      TRY(const Json table, wait_until_settled(name.get<std::string>()));
      if (!table.value("StreamSpecification", Json::object()).value("StreamEnabled", false)) continue;
      TRY_VOID(client_.call(kUpdateTable, {{"TableName", name}, {"StreamSpecification", {{"StreamEnabled", false}}}}));
      TRY_VOID(wait_until_settled(name.get<std::string>()));
      done_.push_back(fmt::format("stream of {} turned off", name.get<std::string>()));
    }
    return {};
  }

  Result<void> set_stream() {
    const Table& table = migration_.target().table;
    TRY(const Json there, wait_until_settled(table.name));
    const bool on = there.value("StreamSpecification", Json::object()).value("StreamEnabled", false);
    if (table.stream_view.empty() || on) return {};
    TRY_VOID(client_.call(kUpdateTable,
                          {{"TableName", table.name},
                           {"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", table.stream_view}}}}));
    TRY_VOID(wait_until_settled(table.name));
    done_.push_back(fmt::format("stream of {} turned on ({})", table.name, table.stream_view));
    return {};
  }

  Result<void> set_expiry() {
    const nlohmann::ordered_json request = time_to_live_request(migration_.target());
    if (request.is_null()) return {};
    TRY(const Json answer,
        client_.call("DynamoDB_20120810.DescribeTimeToLive", {{"TableName", migration_.target().table.name}}));
    const std::string now =
        answer.value("/TimeToLiveDescription/TimeToLiveStatus"_json_pointer, std::string("DISABLED"));
    if (now == "ENABLED" || now == "ENABLING") return {};
    TRY_VOID(client_.call("DynamoDB_20120810.UpdateTimeToLive", Json(request)));
    done_.push_back(
        fmt::format("items of {} expire by {}", migration_.target().table.name, migration_.target().ttl_attribute()));
    return {};
  }

  Result<void> drop_sources() {
    if (!migration_.options().drop_source) return {};
    for (const Source& source : migration_.sources()) {
      if (source.in_place()) continue;
      TRY_VOID(client_.call("DynamoDB_20120810.DeleteTable", {{"TableName", source.table()}}));
      done_.push_back(fmt::format("table {} deleted", source.table()));
    }
    return {};
  }

  Migration& migration_;
  client::Client& client_;
  std::vector<std::string> done_;
};

}  // namespace

Result<std::vector<std::string>> prepare(Migration& migration) {
  TRY(const auto client, client::Client::create(migration.options().connection));
  return Preparation(migration, *client).prepare();
}

Result<std::vector<std::string>> finish(Migration& migration) {
  TRY(const auto client, client::Client::create(migration.options().connection));
  return Preparation(migration, *client).finish();
}

}  // namespace stator::design
