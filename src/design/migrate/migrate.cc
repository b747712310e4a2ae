#include "design/migrate/migrate.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <thread>

#include "design/migrate/backfill.h"
#include "design/migrate/prepare.h"
#include "design/migrate/session.h"
#include "design/migrate/sync.h"
#include "design/migrate/validate.h"
#include "design/report/text_table.h"

namespace stator::design {

namespace {

using client::Json;

std::string count(std::uint64_t value) { return figure(static_cast<double>(value)); }

class Run {
 public:
  Run(Migration& migration, const RunOptions& options) : migration_(migration), options_(options) {}

  Result<Ending> run() {
    switch (options_.step) {
      case MigrationStep::prepare:
        TRY_VOID(do_prepare());
        return Ending::done;
      case MigrationStep::backfill:
        TRY_VOID(do_backfill());
        return Ending::done;
      case MigrationStep::sync:
        return do_sync();
      case MigrationStep::validate:
        return do_validate();
      case MigrationStep::finish:
        TRY_VOID(do_finish());
        return Ending::done;
      default:
        return do_all();
    }
  }

 private:
  void say(const char* step, const std::string& text, const Json& report) const {
    if (options_.json) {
      Json out = {{"step", step}};
      out.update(report);
      fmt::print("{}\n", out.dump());
    } else {
      fmt::print("{}: {}", step, text);
    }
    std::fflush(stdout);
  }

  Result<void> do_prepare() {
    TRY(const auto lines, prepare(migration_));
    say("prepare", fmt::format("{}\n", fmt::join(lines, "; ")), {{"done", lines}});
    return {};
  }

  Result<void> do_backfill() {
    TRY(const BackfillReport report, backfill(migration_));
    std::string text = fmt::format("{} items read, {} written", count(report.scanned), count(report.written));
    if (report.unchanged > 0) text += fmt::format(", {} as they should be already", count(report.unchanged));
    if (report.left_out > 0) text += fmt::format(", {} of removed entities left out", count(report.left_out));
    if (report.unknown > 0) text += fmt::format(", {} of no entity left alone", count(report.unknown));
    if (report.raced > 0) text += fmt::format(", {} changed meanwhile and done again", count(report.raced));
    text += fmt::format("; {} WCU and {} RCU in {:.1f} s", figure(report.write_units, 1), figure(report.read_units, 1),
                        report.seconds);
    if (report.throttled > 0) text += fmt::format(", throttled {} times", count(report.throttled));
    say("backfill", text + "\n",
        {{"scanned", report.scanned},
         {"written", report.written},
         {"unchanged", report.unchanged},
         {"leftOut", report.left_out},
         {"unknown", report.unknown},
         {"raced", report.raced},
         {"writeUnits", report.write_units},
         {"readUnits", report.read_units},
         {"throttled", report.throttled},
         {"seconds", report.seconds}});
    return {};
  }

  Result<Ending> do_sync() {
    Sync sync(migration_);
    TRY(const SyncReport report, sync.run(options_.until_caught_up ? SyncUntil::caught_up : SyncUntil::stopped));
    say_sync(report);
    return Ending::done;
  }

  void say_sync(const SyncReport& report) const {
    say("sync",
        fmt::format("{} changes read, {} items written, {} as they should be already\n", count(report.records),
                    count(report.written), count(report.unchanged)),
        {{"records", report.records}, {"written", report.written}, {"unchanged", report.unchanged}});
  }

  Result<Ending> do_validate() {
    TRY(const ValidationReport report, validate(migration_));
    say("validate", "\n" + validation_text(report), validation_json(report));
    return report.holds() ? Ending::done : Ending::differs;
  }

  Result<void> do_finish() {
    TRY(const auto lines, finish(migration_));
    say("finish", fmt::format("{}\n", fmt::join(lines, "; ")), {{"done", lines}});
    return {};
  }

  Result<Ending> do_all() {
    TRY_VOID(do_prepare());
    // A stop of its own: the stream is followed until everything else is done, or the user wants the end.
    Sync sync(migration_);
    std::optional<Result<SyncReport>> synced;
    base::Stop over;
    std::thread follower([&] { synced = sync.run(SyncUntil::stopped, &over); });
    const Result<Ending> ending = while_following(sync);
    if (ending && *ending == Ending::done && options_.follow) wait_for_signal();
    over.request();
    follower.join();
    if (synced && !*synced && !is_interrupted(synced->error())) return tl::unexpected<Error>(synced->error());
    if (synced && *synced) say_sync(**synced);
    TRY(const Ending end, ending);
    if (end != Ending::done) return end;
    if (options_.finish) {
      TRY_VOID(do_finish());
    } else if (!options_.json) {
      fmt::print("Next: `migrate sync` until the application has changed over, then `migrate finish`.\n");
    }
    return end;
  }

  Result<Ending> while_following(const Sync& sync) {
    TRY_VOID(do_backfill());
    // Two whole rounds after the backfill's end: then the stream has been read up to it.
    const std::uint64_t wanted = sync.rounds() + 2;
    while (sync.rounds() < wanted && !sync.ended()) {
      if (migration_.stop().wait_ms(50)) return tl::unexpected<Error>(interrupted());
    }
    return do_validate();
  }

  void wait_for_signal() {
    if (!options_.json) fmt::print("Following the changes; change over, then end this with Ctrl-C.\n");
    std::fflush(stdout);
    while (!migration_.stop().wait_ms(1000)) {
    }
  }

  Migration& migration_;
  const RunOptions& options_;
};

}  // namespace

Result<Ending> run_migration(Migration& migration, const RunOptions& options) {
  auto ending = Run(migration, options).run();
  if (!ending && is_interrupted(ending.error())) {
    fmt::print(stderr, "stator design: {}\n", ending.error().message);
    return Ending::stopped;
  }
  return ending;
}

}  // namespace stator::design
