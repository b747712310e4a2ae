#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/stop.h"
#include "client/options.h"
#include "design/migrate/diff.h"
#include "design/migrate/state.h"
#include "design/migrate/throttle.h"

// The migration of live tables from old models to a new one, in steps that can be called one by one, ended at any
// moment and called again. Each step is a file of its own: prepare.h, backfill.h, sync.h, validate.h.
namespace stator::design {

struct MigrationOptions {
  std::string state;       // folder; empty: NAME.migration, after the new model
  double write_units = 0;  // per second, all threads and indexes together; 0: no limit
  double read_units = 0;
  int segments = 4;           // of each source, scanned side by side
  int page_items = 100;       // of one Scan: what is done again after a crash, at most
  bool drop_removed = false;  // in place: take out attributes that the new model does not have
  bool skip_unknown = false;  // items of no entity are left alone instead of being an error
  bool force = false;         // into a table that has items; finish without a validation
  bool drop_source = false;   // finish deletes the tables that were copied
  bool quiet = false;         // no progress
  int poll_ms = 200;          // between looks at an idle stream
  std::size_t differences_max = 20;
  int settle_rounds = 10;  // looks at an item that differs, while the stream catches up
  int settle_ms = 500;     // between them
  client::Options connection;
};

// One table that is read.
struct Source {
  std::unique_ptr<Transform> transform;
  [[nodiscard]] const std::string& table() const { return transform->before().table.name; }
  [[nodiscard]] bool in_place() const { return transform->mode() == MigrationMode::in_place; }
  // Whether its items have to be written at all.
  [[nodiscard]] bool has_work() const;
};

// What the steps share. The models have to outlive it.
class Migration {
 public:
  // Errors: obstacles, all of them; a state folder of another migration.
  [[nodiscard]] static Result<std::unique_ptr<Migration>> create(const std::vector<const Model*>& before,
                                                                 const Model& after, MigrationOptions options,
                                                                 base::Stop& stop);

  [[nodiscard]] const MigrationOptions& options() const { return options_; }
  [[nodiscard]] const std::vector<Source>& sources() const { return sources_; }
  [[nodiscard]] const Model& target() const { return *after_; }
  [[nodiscard]] Throttle& throttle() { return throttle_; }
  [[nodiscard]] base::Stop& stop() { return throttle_.stop; }
  [[nodiscard]] std::string state_path(std::string_view name) const;
  // The document that all steps share: what prepare did, whether it was validated. Opened for the moment of a change.
  [[nodiscard]] Result<client::Json> status() const;
  [[nodiscard]] Result<void> update_status(const std::function<void(client::Json&)>& change) const;
  // An error that says to call prepare first, unless it was.
  [[nodiscard]] Result<client::Json> prepared() const;

  // Whether each source is there with the keys of its model. Errors say what differs.
  [[nodiscard]] Result<void> check_sources() const;

 private:
  Migration(const Model& after, MigrationOptions options, base::Stop& stop)
      : after_(&after), options_(std::move(options)), throttle_(options_.read_units, options_.write_units, stop) {}
  [[nodiscard]] std::string fingerprint() const;

  const Model* after_;
  MigrationOptions options_;
  std::vector<Source> sources_;
  Throttle throttle_;
};

// The description of a table; the error of one that is not there says what to do.
[[nodiscard]] Result<client::Json> describe_table(client::Client& client, const std::string& table);

}  // namespace stator::design
