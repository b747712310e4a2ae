#include "server/index_progress.h"

#include "base/sync_wait.h"
#include "engine/build_progress.h"

namespace stator::server {

void IndexProgress::look() {
  const auto tables = engine_.catalog.tables();
  std::map<engine::TableId, std::set<engine::IndexId>> finished;
  for (const auto& [name, table] : *tables) {
    const auto before = finished_.find(table->id);
    for (const engine::Index& index : table->indexes) {
      if (index.kind != engine::IndexKind::global) continue;
      if (index.state == engine::IndexState::creating) {
        const Result<int> percent = base::sync_wait(engine::build_progress(engine_, table->id, index.id));
        if (percent) report(*table, index, *percent);
      } else if (index.state == engine::IndexState::active) {
        finished[table->id].insert(index.id);
        if (before != finished_.end() && !before->second.contains(index.id)) report(*table, index, 100);
      }
    }
    finished.try_emplace(table->id);
  }
  finished_ = std::move(finished);
}

void IndexProgress::report(const engine::Table& table, const engine::Index& index, int percent) {
  collector_.note({metrics::Metric::online_index_progress, table.name, index.name}, percent);
}

}  // namespace stator::server
