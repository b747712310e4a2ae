#include "server/trace_recorder.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/buffer.h"
#include "capacity/place.h"
#include "engine/catalog.h"
#include "server/key_text.h"
#include "simulate/trace.h"

namespace stator::server {
namespace {

constexpr std::chrono::milliseconds kInterval{200};
constexpr std::size_t kPendingBytesMax = std::size_t{32} * 1024 * 1024;  // of one thread

std::string_view operation_name(engine::AccessKind kind) {
  switch (kind) {
    case engine::AccessKind::get:
      return "read";
    case engine::AccessKind::query:
      return "Query";
    case engine::AccessKind::scan:
      return "Scan";
    case engine::AccessKind::write:
      break;
  }
  return "write";
}

void append_units(base::Buffer& out, const engine::Throughput& throughput) {
  out.append(fmt::format("\"read\":{},\"write\":{}", throughput.read_units, throughput.write_units));
}

// The capacity that tables have when recording begins; on-demand is what a trace assumes of the others.
std::string header(const engine::Catalog& catalog) {
  base::Buffer out;
  out.append("{\"stator_trace\":1,\"tables\":{");
  bool first = true;
  const auto tables = catalog.tables();
  for (const auto& [name, table] : *tables) {
    if (table->billing != engine::BillingMode::provisioned) continue;
    out.append(fmt::format("{}\"{}\":{{", first ? "" : ",", name));
    append_units(out, table->throughput);
    out.append(",\"indexes\":{");
    bool first_index = true;
    for (const engine::Index& index : table->indexes) {
      if (index.kind != engine::IndexKind::global) continue;
      out.append(fmt::format("{}\"{}\":{{", first_index ? "" : ",", index.name));
      append_units(out, index.throughput);
      out.push_back('}');
      first_index = false;
    }
    out.append("}}");
    first = false;
  }
  out.append("}}\n");
  return std::string(out.view());
}

}  // namespace

Result<std::unique_ptr<TraceRecorder>> TraceRecorder::open(const Options& options, const base::Clock& clock,
                                                           const engine::Catalog& catalog) {
  std::FILE* const file = std::fopen(options.path.c_str(), "we");
  if (file == nullptr) {
    return fail(ErrorCode::unavailable, fmt::format("cannot record to {}: {}", options.path, std::strerror(errno)));
  }
  const std::string first = header(catalog);
  std::fwrite(first.data(), 1, first.size(), file);
  return std::unique_ptr<TraceRecorder>(new TraceRecorder(options, clock, file));
}

TraceRecorder::TraceRecorder(const Options& options, const base::Clock& clock, std::FILE* file)
    : options_(options), clock_(clock), file_(file), thread_([this] { run(); }) {}

TraceRecorder::~TraceRecorder() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_one();
  thread_.join();
  write_out();
  std::fclose(file_);
  if (lost_ > 0) {
    std::fprintf(stderr, "stator: %llu requests are not in %s: the disk was too slow\n", static_cast<unsigned long long>(lost_),
                 options_.path.c_str());
  }
}

TraceRecorder::Local& TraceRecorder::local() {
  thread_local std::uint64_t owner = 0;
  thread_local Local* mine = nullptr;
  if (owner != identity_) {
    const std::lock_guard lock(mutex_);
    mine = locals_.emplace_back(std::make_unique<Local>()).get();
    owner = identity_;
  }
  return *mine;
}

void TraceRecorder::record(std::span<const engine::Access> accesses) {
  const engine::Access& first = accesses.front();
  simulate::TraceRecord record;
  record.time_s = static_cast<double>(clock_.now_ms()) / 1000;
  record.operation = operation_name(first.kind);
  record.table = first.table->name;
  if (first.index != nullptr) record.index = first.index->name;
  record.cost = first.cost;
  // The hash is of the text rather than the row's, so that a trace with hashed keys plays like one with names.
  const auto set_key = [this](const std::optional<KeyText>& key, auto& of) {
    if (key && !options_.hash_keys) {
      of.pk = key->partition;
    } else {
      of.pk_hash = key ? capacity::hash_bytes(key->partition) : 0;
    }
  };
  const std::optional<KeyText> key = key_text(first);
  set_key(key, record);
  if (key && key->sort) {
    if (options_.hash_keys) {
      record.sk_hash = capacity::hash_bytes(*key->sort);
    } else {
      record.sk = *key->sort;
    }
  }
  std::vector<std::optional<KeyText>> index_keys;  // viewed by the record
  for (const engine::Access& access : accesses.subspan(1)) index_keys.push_back(key_text(access));
  for (std::size_t i = 0; i < index_keys.size(); ++i) {
    const engine::Access& access = accesses[i + 1];
    simulate::TraceRecord::IndexWrite write{access.index->name, std::nullopt, 0, access.cost};
    set_key(index_keys[i], write);
    record.indexes.push_back(write);
  }
  Local& to = local();
  const std::lock_guard lock(to.mutex);
  if (to.lines.size() > kPendingBytesMax) {
    ++to.lost;
    return;
  }
  simulate::append_trace_line(to.lines, record);
}

void TraceRecorder::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    stopped_.wait_for(lock, kInterval, [this] { return stopping_; });
    lock.unlock();
    write_out();
    lock.lock();
  }
}

void TraceRecorder::write_out() {
  std::vector<Local*> locals;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& local : locals_) locals.push_back(local.get());
  }
  std::string lines;
  for (Local* local : locals) {
    lines.clear();
    {
      const std::lock_guard lock(local->mutex);
      lines.swap(local->lines);
      lost_ += std::exchange(local->lost, 0);
    }
    if (std::fwrite(lines.data(), 1, lines.size(), file_) != lines.size() && !failed_) {
      failed_ = true;
      std::fprintf(stderr, "stator: cannot write to %s: %s\n", options_.path.c_str(), std::strerror(errno));
    }
  }
  std::fflush(file_);
}

}  // namespace stator::server
