#include "design/migrate/validate.h"

#include <fmt/format.h>

#include <mutex>

#include "design/migrate/reconcile.h"
#include "design/migrate/table_scan.h"

namespace stator::design {

namespace {

using client::Json;

// More would have to be kept to be looked at again; such a table is wrong, whatever they turn out to be.
constexpr std::size_t kSuspectsMax = 100'000;

// Names of attributes that differ, for a message.
std::string attributes_text(const Json& wanted, const Json& there) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : wanted.items()) {
    if (!there.contains(name)) {
      texts.push_back(name + " is missing");
    } else if (!equal_items(Json{{name, there[name]}}, Json{{name, value}})) {
      texts.push_back(fmt::format("{} is {}, expected {}", name, there[name].dump(), value.dump()));
    }
  }
  for (const auto& [name, value] : there.items())
    if (!wanted.contains(name)) texts.push_back(name + " is too much");
  return fmt::format("{}", fmt::join(texts, "; "));
}

// What is to be looked at again.
struct Suspect {
  const Source* source;
  Json source_key;   // null: an item of the target of which no source is known
  Json target_item;  // of an item that only the target seems to have
};

class Validation {
 public:
  explicit Validation(Migration& migration) : migration_(migration) {}

  Result<ValidationReport> run() {
    bool copied = false;
    for (const Source& source : migration_.sources()) {
      copied = copied || !source.in_place();
      TRY_VOID(scan_table(migration_, source.table(), "Validation",
                          [&](const Json& items, Session& session) { return source_page(source, items, session); }));
    }
    if (copied) {
      TRY_VOID(scan_table(migration_, migration_.target().table.name, "Validation",
                          [&](const Json& items, Session& session) { return target_page(items, session); }));
    } else {
      for (auto& [name, counts] : report_.entities) counts.target = counts.source;
    }
    TRY_VOID(look_again());
    compare_counts();
    return std::move(report_);
  }

 private:
  Result<void> source_page(const Source& source, const Json& items, Session& session) {
    const Transform& transform = *source.transform;
    std::map<std::string, const Json*> wanted;  // by key of the target
    std::vector<Json> keys;
    for (const Json& item : items) {
      const auto path = transform.path_of(item);
      if (!path) {
        TRY_VOID(unknown(source, path.error()));
        continue;
      }
      if ((*path)->after == nullptr) continue;
      count((*path)->after->name, &EntityCounts::source);
      if (source.in_place()) {
        compare(source, item, item);
        continue;
      }
      const auto target = transform.apply(item);
      if (!target || !*target) {  // what the backfill could not make either
        suspect({&source, transform.source().key_of(item), Json()});
        continue;
      }
      Json key = transform.target().key_of(**target);
      wanted[key.dump()] = &item;
      keys.push_back(std::move(key));
    }
    if (keys.empty()) return {};
    TRY(const std::vector<Json> there, session.get_many(transform.after().table.name, std::move(keys)));
    for (const Json& item : there) {
      const auto found = wanted.find(transform.target().key_of(item).dump());
      if (found == wanted.end()) continue;
      compare(source, *found->second, item);
      wanted.erase(found);
    }
    for (const auto& [key, item] : wanted) suspect({&source, transform.source().key_of(*item), Json()});
    return {};
  }

  void compare(const Source& source, const Json& item, const Json& there) {
    if (difference(source, item, there)) suspect({&source, source.transform->source().key_of(item), Json()});
    const std::lock_guard lock(mutex_);
    ++report_.compared;
  }

  // What is wrong with the target's form of an item, if anything.
  static std::optional<Difference> difference(const Source& source, const Json& item, const Json& there) {
    const Transform& transform = *source.transform;
    const auto path = transform.path_of(item);
    const auto wanted = transform.apply(item, &there);
    const std::string entity = path && (*path)->before != nullptr ? (*path)->before->name : "";
    const std::string key = transform.target().key_of(there).dump();
    if (!wanted) return Difference{"inconsistent", entity, key, wanted.error().message};
    if (!*wanted) return std::nullopt;
    if (!equal_items(**wanted, there)) return Difference{"different", entity, key, attributes_text(**wanted, there)};
    // A witness that does not know the old model. In place, what nobody recomputes is the application's business.
    if (source.in_place()) return std::nullopt;
    const std::string own = transform.disagreement(there);
    if (!own.empty()) return Difference{"inconsistent", entity, key, own};
    return std::nullopt;
  }

  // Items of the target for which there is nothing in any source.
  Result<void> target_page(const Json& items, Session& session) {
    struct Owner {
      const Json* item;
      const Source* source;
    };
    std::map<const Source*, std::map<std::string, Owner>> owners;  // by key of the source
    for (const Json& item : items) {
      const auto entity = sources_reader().entity_of(item);
      if (!entity) {
        suspect({nullptr, Json(), item});
        continue;
      }
      if (!migrated((*entity)->name)) continue;  // new entities are the application's
      count((*entity)->name, &EntityCounts::target);
      for (const Source& source : migration_.sources()) {
        if (source.transform->before().entity((*entity)->name) == nullptr || source.in_place()) continue;
        const auto keys = source.transform->source_keys(item);
        if (!keys) {
          const std::lock_guard lock(mutex_);
          report_.uncounted = true;
          continue;
        }
        if (keys->empty()) suspect({&source, Json(), item});
        for (const Json& key : *keys) owners[&source].emplace(key.dump(), Owner{&item, &source});
      }
    }
    for (auto& [source, by_key] : owners) {
      std::vector<Json> keys;
      std::map<const Json*, bool> found;
      for (const auto& [key, owner] : by_key) {
        keys.push_back(Json::parse(key));
        found.try_emplace(owner.item, false);
      }
      TRY(const std::vector<Json> there, session.get_many(source->table(), std::move(keys)));
      for (const Json& item : there) {
        const auto at = by_key.find(source->transform->source().key_of(item).dump());
        if (at != by_key.end()) found[at->second.item] = true;
      }
      for (const auto& [item, is_there] : found)
        if (!is_there) suspect({source, Json(), *item});
    }
    return {};
  }

  [[nodiscard]] const ItemReader& sources_reader() const { return migration_.sources().front().transform->target(); }

  [[nodiscard]] bool migrated(const std::string& entity) const {
    for (const Source& source : migration_.sources())
      if (source.transform->before().entity(entity) != nullptr) return true;
    return false;
  }

  Result<void> unknown(const Source& source, const Error& why) {
    {
      const std::lock_guard lock(mutex_);
      ++report_.unknown;
    }
    if (migration_.options().skip_unknown) return {};
    return invalid(fmt::format("table {} has an item that {} does not describe: {}", source.table(),
                               source.transform->before().file, why.message));
  }

  void count(const std::string& entity, std::uint64_t EntityCounts::*member) {
    const std::lock_guard lock(mutex_);
    ++(report_.entities[entity].*member);
  }

  void suspect(Suspect one) {
    const std::lock_guard lock(mutex_);
    if (suspects_.size() < kSuspectsMax) {
      suspects_.push_back(std::move(one));
    } else {
      ++report_.found;
    }
  }

  // Until everything agrees or the patience is used up.
  Result<void> look_again() {
    TRY(const auto session, Session::create(migration_.options().connection, migration_.throttle()));
    const std::size_t before = suspects_.size();
    std::vector<Difference> last;
    for (int round = 0; round < std::max(1, migration_.options().settle_rounds) && !suspects_.empty(); ++round) {
      if (round > 0 && migration_.stop().wait_ms(migration_.options().settle_ms)) {
        return tl::unexpected<Error>(interrupted());
      }
      std::vector<Suspect> left;
      last.clear();
      for (Suspect& one : suspects_) {
        TRY(auto found, look_at(one, *session));
        if (!found) continue;
        last.push_back(std::move(*found));
        left.push_back(std::move(one));
      }
      suspects_ = std::move(left);
    }
    report_.looked_again = before - suspects_.size();
    report_.found += suspects_.size();
    for (Difference& one : last) {
      if (report_.differences.size() >= migration_.options().differences_max) break;
      report_.differences.push_back(std::move(one));
    }
    return {};
  }

  Result<std::optional<Difference>> look_at(const Suspect& one, Session& session) {
    if (one.source_key.is_null()) return look_at_extra(one, session);
    const Transform& transform = *one.source->transform;
    TRY(const Json item, session.get(one.source->table(), one.source_key));
    if (item.is_null()) return std::optional<Difference>();  // gone: the scan of the target tells the rest
    if (one.source->in_place()) return difference(*one.source, item, item);
    TRY(const EntityPath* path, transform.path_of(item));
    const auto wanted = transform.apply(item);
    if (!wanted) {
      return std::optional(
          Difference{"inconsistent", path->before->name, one.source_key.dump(), wanted.error().message});
    }
    if (!*wanted) return std::optional<Difference>();
    const Json key = transform.target().key_of(**wanted);
    TRY(const Json there, session.get(transform.after().table.name, key));
    if (there.is_null()) {
      return std::optional(
          Difference{"missing", path->before->name, key.dump(),
                     fmt::format("{} of table {} is not there", one.source_key.dump(), one.source->table())});
    }
    return difference(*one.source, item, there);
  }

  Result<std::optional<Difference>> look_at_extra(const Suspect& one, Session& session) {
    const ItemReader& reader = sources_reader();
    const Json key = reader.key_of(one.target_item);
    TRY(const Json there, session.get(migration_.target().table.name, key));
    if (there.is_null()) return std::optional<Difference>();
    const auto entity = reader.entity_of(there);
    if (!entity) return std::optional(Difference{"extra", "", key.dump(), entity.error().message});
    const auto keys = one.source == nullptr ? std::nullopt : one.source->transform->source_keys(there);
    if (!keys) return std::optional<Difference>();
    TRY(const std::vector<Json> items, session.get_many(one.source->table(), *keys));
    // Under another key of the target now, or gone: then this one is too much.
    for (const Json& item : items) {
      const auto wanted = one.source->transform->apply(item, &there);
      if (wanted && *wanted && reader.key_of(**wanted) == key) return std::optional<Difference>();
    }
    return std::optional(Difference{"extra", (*entity)->name, key.dump(),
                                    fmt::format("table {} has no item for it", one.source->table())});
  }

  // Where every item of each side was found on the other, other counts only tell that there were writes meanwhile.
  void compare_counts() {
    if (!report_.uncounted) return;
    for (const auto& [name, counts] : report_.entities) {
      if (counts.source == counts.target) continue;
      ++report_.found;
      report_.differences.push_back(
          {"extra", name, "", fmt::format("{} items in the source, {} in the target", counts.source, counts.target)});
    }
  }

  Migration& migration_;
  std::mutex mutex_;
  ValidationReport report_;        // guarded by mutex_ while threads run
  std::vector<Suspect> suspects_;  // likewise
};

}  // namespace

Result<ValidationReport> validate(Migration& migration) {
  TRY_VOID(migration.prepared());
  TRY_VOID(migration.check_sources());
  const double before = migration.throttle().read_units;
  TRY(ValidationReport report, Validation(migration).run());
  report.read_units = migration.throttle().read_units - before;
  const bool holds = report.holds();
  TRY_VOID(migration.update_status([&](Json& document) { document["validated"] = holds; }));
  return report;
}

}  // namespace stator::design
