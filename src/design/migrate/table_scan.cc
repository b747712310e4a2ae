#include "design/migrate/table_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

#include "design/prove/progress.h"

namespace stator::design {

namespace {

using client::Json;

Result<void> scan_segment(Migration& migration, const std::string& table, int segment, const PageVisitor& page) {
  TRY(const auto session, Session::create(migration.options().connection, migration.throttle()));
  Json request = {{"TableName", table},
                  {"ConsistentRead", true},
                  {"Segment", segment},
                  {"TotalSegments", migration.options().segments},
                  {"Limit", migration.options().page_items}};
  while (true) {
    TRY(const Json answer, session->read("Scan", request, 1));
    TRY_VOID(page(answer.value("Items", Json::array()), *session));
    if (!answer.contains("LastEvaluatedKey")) return {};
    request["ExclusiveStartKey"] = answer["LastEvaluatedKey"];
  }
}

}  // namespace

Result<void> scan_table(Migration& migration, const std::string& table, const std::string& what,
                        const PageVisitor& page) {
  TRY(const auto client, client::Client::create(migration.options().connection));
  TRY(const Json description, describe_table(*client, table));
  const auto total = std::max<std::uint64_t>(1, description.value("ItemCount", std::uint64_t{0}));
  ProgressBar bar(fmt::format("{} of {}", what, table), migration.options().quiet);
  std::mutex mutex;
  std::uint64_t done = 0;  // guarded by mutex, like the bar
  const PageVisitor counted = [&](const Json& items, Session& session) {
    Result<void> result = page(items, session);
    const std::lock_guard lock(mutex);
    done += items.size();
    if (done < total) bar.show(done, total);
    return result;
  };
  std::vector<Result<void>> results(static_cast<std::size_t>(migration.options().segments));
  std::vector<std::thread> threads;
  for (std::size_t at = 0; at < results.size(); ++at) {
    threads.emplace_back([&, at] { results[at] = scan_segment(migration, table, static_cast<int>(at), counted); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) TRY_VOID(result);
  bar.show(total, total);
  return {};
}

}  // namespace stator::design
