#include "design/migrate/migration.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "client/client.h"
#include "design/deploy/table_definition.h"
#include "design/generate/random.h"

namespace stator::design {

namespace {

using client::Json;

constexpr int kLockAttempts = 100;  // of a file that is open for a moment only

std::string keys_text(const Model& model) {
  std::string text = model.table.name + ";" + model.table.type_attribute + ";";
  for (const Index& index : model.indexes) text += index.name + ",";
  for (const Entity& entity : model.entities) {
    text += fmt::format("{}={};", entity.name, entity.type_value);
    for (const KeyTemplate& key : entity.keys) text += fmt::format("{}:{},", key.attribute, key.value.text());
    for (const SparseCondition& sparse : entity.sparse) {
      text += fmt::format("{}?{}in{},", sparse.index, sparse.attribute, fmt::join(sparse.values, "|"));
    }
    for (const Attribute& attribute : entity.attributes) {
      text += fmt::format("{}{}{},", attribute.name, attribute_type_text(attribute.type), attribute.stored);
    }
  }
  return text;
}

}  // namespace

bool Source::has_work() const {
  if (!in_place()) return true;
  return std::any_of(transform->paths().begin(), transform->paths().end(),
                     [](const EntityPath& path) { return path.after != nullptr && path.rewrites(); });
}

Result<std::unique_ptr<Migration>> Migration::create(const std::vector<const Model*>& before, const Model& after,
                                                     MigrationOptions options, base::Stop& stop) {
  if (options.state.empty()) options.state = after.name + ".migration";
  std::unique_ptr<Migration> migration(new Migration(after, std::move(options), stop));
  for (const Model* model : before) {
    const bool same = model->table.name == after.table.name;
    Source source;
    source.transform = std::make_unique<Transform>(
        *model, after,
        TransformOptions{same ? MigrationMode::in_place : MigrationMode::copy, migration->options_.drop_removed});
    migration->sources_.push_back(std::move(source));
  }
  TRY(const Json status, migration->status());
  const std::string expected = migration->fingerprint();
  if (status.value("fingerprint", expected) != expected) {
    return invalid(
        fmt::format("{} is the state of a migration between other models or tables; give this one a folder of "
                    "its own with --state, or delete it to begin anew",
                    migration->options_.state));
  }
  return migration;
}

std::string Migration::fingerprint() const {
  std::uint64_t hash = hash_text(keys_text(*after_));
  for (const Source& source : sources_) hash = mix(hash, hash_text(keys_text(source.transform->before())));
  return fmt::format("{:016x}", hash);
}

std::string Migration::state_path(std::string_view name) const {
  return fmt::format("{}/{}.json", options_.state, name);
}

Result<Json> Migration::status() const { return peek_state(state_path("status")); }

Result<void> Migration::update_status(const std::function<void(Json&)>& change) const {
  for (int attempt = 0;; ++attempt) {
    auto file = StateFile::open(state_path("status"));
    if (!file && file.error().code == ErrorCode::table_in_use && attempt < kLockAttempts) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      continue;
    }
    if (!file) return tl::unexpected<Error>(file.error());
    return (*file)->update([&](Json& document) {
      document["fingerprint"] = fingerprint();
      change(document);
    });
  }
}

Result<Json> Migration::prepared() const {
  TRY(Json document, status());
  if (document.contains("started_ms")) return document;
  return invalid("the migration is not prepared; call `migrate prepare` with the same models first");
}

Result<void> Migration::check_sources() const {
  TRY(const auto client, client::Client::create(options_.connection));
  for (const Source& source : sources_) {
    const Model& model = source.transform->before();
    const auto table = describe_table(*client, source.table());
    if (!table) {
      if (table.error().code != ErrorCode::table_not_found) return tl::unexpected<Error>(table.error());
      return invalid(
          fmt::format("there is no table {} at {}, which {} describes; name the one to migrate with --source",
                      source.table(), client->options().endpoint, model.file));
    }
    // Indexes come and go with the steps; keys tell whether it is the right table.
    Model keys = model;
    if (source.in_place()) keys.indexes.clear();
    const std::string difference = table_difference(keys, *table);
    if (!difference.empty()) {
      return invalid(
          fmt::format("table {} is not the one that {} describes: {}", source.table(), model.file, difference));
    }
  }
  return {};
}

Result<Json> describe_table(client::Client& client, const std::string& table) {
  TRY(const Json answer, client.call("DynamoDB_20120810.DescribeTable", {{"TableName", table}}));
  return answer.value("Table", Json::object());
}

}  // namespace stator::design
