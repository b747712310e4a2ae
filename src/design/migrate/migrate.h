#pragma once

#include <string>

#include "design/migrate/migration.h"

namespace stator::design {

enum class MigrationStep : std::uint8_t { all, plan, prepare, backfill, sync, validate, finish };

struct RunOptions {
  MigrationStep step = MigrationStep::all;
  bool finish = false;           // `all`: with finish at the end
  bool follow = false;           // `all`: after the validation, sync until a signal
  bool until_caught_up = false;  // `sync`: end when everything is applied
  bool json = false;             // an object for each step instead of text
};

enum class Ending : std::uint8_t { done, differs, stopped };

// Runs a step, or all of them with the stream followed from the beginning to the end, and says on the standard output
// what was done.
[[nodiscard]] Result<Ending> run_migration(Migration& migration, const RunOptions& options);

}  // namespace stator::design
