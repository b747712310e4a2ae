#include "simulate/trace.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "capacity/place.h"
#include "simulate/trace_parser.h"

namespace stator::simulate {
namespace {

constexpr std::size_t kBufferBytes = 4 << 20;
constexpr std::size_t kLineBytesMax = 1 << 20;
// Recorders write from several threads, so lines may be a little out of order.
constexpr std::int64_t kDisorder_us = 1'000'000;

void append_text(std::string& out, std::string_view name, std::string_view text) {
  fmt::format_to(std::back_inserter(out), ",\"{}\":\"", name);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_key(std::string& out, std::string_view name, const std::optional<std::string_view>& text,
                std::uint64_t hash) {
  if (text) return append_text(out, name, *text);
  fmt::format_to(std::back_inserter(out), ",\"{}h\":\"{:016x}\"", name, hash);
}

void append_units(std::string& out, capacity::HalfUnits cost) {
  fmt::format_to(std::back_inserter(out), ",\"units\":{}{}", cost / 2, cost % 2 != 0 ? ".5" : "");
}

}  // namespace

struct TraceSource::Parser {
  simdjson::dom::parser json;
  TraceRequest request;
};

TraceSource::TraceSource(std::string path, SettingsFor settings_for)
    : path_(std::move(path)), settings_for_(std::move(settings_for)), parser_(std::make_unique<Parser>()) {}

TraceSource::~TraceSource() {
  if (file_ != nullptr) std::fclose(file_);
}

Result<std::unique_ptr<TraceSource>> TraceSource::open(const std::string& path, SettingsFor settings_for) {
  std::unique_ptr<TraceSource> source(new TraceSource(path, std::move(settings_for)));
  TRY_VOID(source->rewind());
  return source;
}

Result<void> TraceSource::rewind() {
  if (file_ != nullptr) std::fclose(file_);
  file_ = std::fopen(path_.c_str(), "rb");
  if (file_ == nullptr) return invalid(fmt::format("cannot open {}: {}", path_, std::strerror(errno)));
  buffer_.resize(kBufferBytes + simdjson::SIMDJSON_PADDING);
  begin_ = end_ = 0;
  at_end_ = false;
  line_number_ = 0;
  latest_us_ = kBeforeAll_us;
  return {};
}

Result<std::optional<std::string_view>> TraceSource::next_line() {
  for (;;) {
    const char* const start = buffer_.data() + begin_;
    const auto* newline = static_cast<const char*>(std::memchr(start, '\n', end_ - begin_));
    if (newline != nullptr || (at_end_ && begin_ < end_)) {
      const std::size_t length = newline != nullptr ? static_cast<std::size_t>(newline - start) : end_ - begin_;
      begin_ += length + (newline != nullptr ? 1 : 0);
      ++line_number_;
      const std::string_view line(start, length);
      if (line.find_first_not_of(" \t\r") != std::string_view::npos) return line;
      continue;
    }
    if (at_end_) return std::nullopt;
    if (end_ - begin_ > kLineBytesMax)
      return invalid(fmt::format("{}:{}: a line of more than {} bytes", path_, line_number_ + 1, kLineBytesMax));
    std::memmove(buffer_.data(), start, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const std::size_t got = std::fread(buffer_.data() + end_, 1, kBufferBytes - end_, file_);
    if (got == 0 && std::ferror(file_) != 0) return invalid(fmt::format("cannot read {}", path_));
    at_end_ = got == 0;
    end_ += got;
  }
}

std::uint32_t TraceSource::target(std::string_view table, std::string_view index) {
  lookup_.assign(table);
  lookup_ += '\0';
  lookup_ += index;
  const auto [found, is_new] = numbers_.try_emplace(lookup_, static_cast<std::uint32_t>(targets_.size()));
  if (is_new) {
    Target made{.table = std::string(table), .index = std::string(index), .settings = {}};
    if (const auto settings = settings_for_(made.table, made.index)) made.settings = *settings;
    targets_.push_back(std::move(made));
  }
  return found->second;
}

Result<bool> TraceSource::next(Request& request) {
  for (;;) {
    TRY(const std::optional<std::string_view> text, next_line());
    if (!text) return false;
    const auto where = [&](std::string_view problem) {
      return invalid(fmt::format("{}:{}: {}", path_, line_number_, problem));
    };
    TraceLine line;
    if (parser_->json.parse(text->data(), text->size(), false).get(line) != simdjson::SUCCESS)
      return where("not a JSON object");
    if (line_number_ == 1 && is_header(line)) {
      Result<std::vector<HeaderTarget>> declared = read_header_line(line);
      if (!declared) return where(declared.error().message);
      for (const HeaderTarget& each : *declared) {
        Target& made = targets_[target(each.table, each.index)];
        if (!settings_for_(each.table, each.index)) made.settings = each.settings;
      }
      continue;
    }
    TraceRequest& read = parser_->request;
    if (const Result<void> done = read_request(line, read); !done) return where(done.error().message);
    if (read.time_us < latest_us_ - kDisorder_us)
      return where("the time goes back by more than a second; sort the trace by \"t\"");
    latest_us_ = request.time_us = std::max(read.time_us, latest_us_);

    request.parts.clear();
    names_.clear();
    const auto add = [&](const TraceTouch& touch) {
      Part& part = request.parts.emplace_back();
      part.target = target(read.table, touch.index);
      part.direction = read.direction;
      part.whole_collection = read.whole_collection;
      part.cost = touch.cost;
      part.key_hash = touch.partition.hash;
      if (touch.sort) part.item_hash = touch.sort->hash;
      if (touch.sort) part.sort_key = touch.sort->text;
      part.tag = static_cast<std::uint32_t>(names_.size());
      names_.push_back(touch.partition.text);
    };
    add(read.own);
    for (const TraceTouch& touch : read.indexes) add(touch);
    return true;
  }
}

std::string TraceSource::key_name(const Part& part) const {
  const std::string_view text = names_[part.tag];
  return text.empty() ? fmt::format("hash {:016x}", part.key_hash) : std::string(text);
}

void append_trace_line(std::string& out, const TraceRecord& record) {
  fmt::format_to(std::back_inserter(out), "{{\"t\":{:.6f}", record.time_s);
  append_text(out, "op", record.operation);
  append_text(out, "table", record.table);
  if (!record.index.empty()) append_text(out, "index", record.index);
  append_key(out, "pk", record.pk, record.pk_hash);
  if (record.sk || record.sk_hash) append_key(out, "sk", record.sk, record.sk_hash.value_or(0));
  append_units(out, record.cost);
  if (!record.indexes.empty()) {
    out += ",\"indexes\":[";
    for (std::size_t i = 0; i < record.indexes.size(); ++i) {
      const TraceRecord::IndexWrite& write = record.indexes[i];
      const std::size_t start = out.size();
      append_text(out, "index", write.index);
      out[start] = '{';
      if (i > 0) out.insert(start, 1, ',');
      append_key(out, "pk", write.pk, write.pk_hash);
      append_units(out, write.cost);
      out += '}';
    }
    out += ']';
  }
  out += "}\n";
}

}  // namespace stator::simulate
