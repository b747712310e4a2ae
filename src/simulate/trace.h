#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "simulate/request.h"

namespace stator::simulate {

// Reads a trace file, docs/formats/trace.md: JSON lines, one request each, with an optional header. Holds a buffer,
// not the file. Errors name file and line.
class TraceSource final : public Source {
 public:
  // What capacity a table or index has for which the header gives none, or in spite of the header.
  using SettingsFor =
      std::function<std::optional<capacity::Settings>(const std::string& table, const std::string& index)>;

  [[nodiscard]] static Result<std::unique_ptr<TraceSource>> open(const std::string& path, SettingsFor settings_for);
  ~TraceSource() override;

  [[nodiscard]] Result<bool> next(Request& request) override;
  [[nodiscard]] Result<void> rewind() override;
  [[nodiscard]] const std::vector<Target>& targets() const override { return targets_; }
  [[nodiscard]] std::string key_name(const Part& part) const override;

 private:
  static constexpr std::int64_t kBeforeAll_us = INT64_MIN / 2;

  struct Parser;  // hides simdjson

  TraceSource(std::string path, SettingsFor settings_for);
  [[nodiscard]] Result<std::optional<std::string_view>> next_line();
  std::uint32_t target(std::string_view table, std::string_view index);

  const std::string path_;
  const SettingsFor settings_for_;
  std::unique_ptr<Parser> parser_;
  std::FILE* file_ = nullptr;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what is not read yet
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::uint64_t line_number_ = 0;
  std::int64_t latest_us_ = kBeforeAll_us;
  std::vector<Target> targets_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::string lookup_;                   // spares an allocation for each request
  std::vector<std::string_view> names_;  // of the keys of the last request, by tag
};

// One request as a line of a trace, newline included; for recorders and tests. `pk` may be given as a hash instead.
struct TraceRecord {
  double time_s = 0;
  std::string_view operation;
  std::string_view table;
  std::string_view index;              // of a read
  std::optional<std::string_view> pk;  // or pk_hash
  std::uint64_t pk_hash = 0;
  std::optional<std::string_view> sk;  // or sk_hash, where there is one
  std::optional<std::uint64_t> sk_hash;
  capacity::HalfUnits cost = 0;
  struct IndexWrite {
    std::string_view index;
    std::optional<std::string_view> pk;
    std::uint64_t pk_hash = 0;
    capacity::HalfUnits cost = 0;
  };
  std::vector<IndexWrite> indexes;
};
void append_trace_line(std::string& out, const TraceRecord& record);

}  // namespace stator::simulate
