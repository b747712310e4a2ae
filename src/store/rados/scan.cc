// Scans, a page at a time. A page is what one operation read of one leaf: one moment (S5).

#include <algorithm>

#include "store/rados/rados_store.h"

namespace stator::store::rados {
namespace {

constexpr std::uint64_t kFirstRows = 32;
constexpr std::uint64_t kRowsMax = 1000;
constexpr std::uint64_t kBytesWanted = 1 << 20;
constexpr std::chrono::milliseconds kPageLookAgain{3};

}  // namespace

struct RadosStore::Page {
  // What is left of the scan: [from, to), an empty `to` being the end of the map.
  std::string from;
  std::string to;
  bool descending = false;
  std::uint64_t rows_max = kFirstRows;
  Deadline until;

  // The page.
  LeafPointer leaf;
  std::string begin, end;                                 // of the range that it shows
  std::vector<std::pair<std::string, std::string>> rows;  // omap entries, ascending
  std::map<std::string, std::string> intents;             // by key
  bool last = false;                                      // of the scan
};

base::Task<Result<void>> RadosStore::scan(Range range, Direction direction, RowVisitor& visitor) {
  if (!range.to.empty() && range.to <= range.from) co_return Result<void>();
  Page page;
  page.from = range.from;
  page.to = range.to;
  page.descending = direction == Direction::descending;
  for (;;) {
    page.until = deadline();
    auto read = read_page(page);
    CO_TRY_VOID(co_await read);
    std::size_t bytes = 0;
    if (page.descending) std::reverse(page.rows.begin(), page.rows.end());
    for (const auto& [key, stored] : page.rows) {
      CO_TRY(const StoredRow row, decode_row(stored));
      bytes += stored.size();
      if (visitor.row(key_of_row(key), row.value) == Visit::stop) co_return Result<void>();
    }
    if (page.last) co_return Result<void>();
    (page.descending ? page.to : page.from) = page.descending ? page.begin : page.end;
    // More at once, as long as it stays about a megabyte.
    const std::uint64_t each =
        std::max<std::uint64_t>(1, bytes / std::max<std::size_t>(1, page.rows.size()));
    page.rows_max =
        std::clamp<std::uint64_t>(std::min(page.rows_max * 4, kBytesWanted / each), 1, kRowsMax);
  }
}

// The next page, complete and of one moment.
base::Task<Result<void>> RadosStore::read_page(Page& page) {
  while (std::chrono::steady_clock::now() < page.until) {
    if (page.descending) {
      auto found = find_page_begin(page);
      CO_TRY(const bool ready, co_await found);
      if (!ready) continue;
    } else {
      page.leaf = map_.find(page.from);
      page.begin = page.from;
      page.end = page.to;
    }
    auto read = read_rows(page);
    CO_TRY(const bool whole, co_await read);
    if (!whole) continue;
    auto resolved = resolve_page(page);
    CO_TRY(const bool resolved_all, co_await resolved);
    if (resolved_all) co_return Result<void>();
  }
  co_return fail(ErrorCode::unavailable, "a page could not be read in time: try again");
}

// Descending: twins say where a page of about the right size begins. False: the leaf was another
// one, again.
base::Task<Result<bool>> RadosStore::find_page_begin(Page& page) {
  // The leaf of the last key below page.to. A leaf may begin exactly there; then it is the one to
  // its left.
  page.leaf = page.to.empty() ? map_.find_last() : map_.find_below(page.to);
  ReadRequest request;
  request.keys = {kHeaderKey};
  request.ranges = {{page.to.empty() ? "d" : twin_key(page.to), "d", page.rows_max}};
  auto operation = cluster_->read(page.leaf->object(), request);
  const Reply reply = co_await operation;
  if (reply.status < 0)
    co_return tl::unexpected<Error>(to_error(reply.status, page.leaf->object()));
  CO_TRY(const Header header, decode_header(reply.value(kHeaderKey)));
  page.leaf->note(header);
  if (page.to.empty() ? !header.to.empty() : (!header.to.empty() && header.to < page.to))
    co_return false;
  page.begin = std::max(page.from, header.from);
  page.end = page.to;
  std::uint64_t bytes = 0;
  const auto& twins = reply.ranges[0].entries;
  for (std::size_t i = 0; i < twins.size(); ++i) {
    bytes += decode_number(std::string(4, '\0') + twins[i].second);
    const bool enough = bytes >= kBytesWanted || (i + 1 == twins.size() && reply.ranges[0].more);
    if (!enough) continue;
    page.begin = std::max(page.begin, key_of_twin(twins[i].first));
    break;
  }
  co_return true;
}

// Rows and intents of the page, in one operation. False when the leaf or the size was not right.
base::Task<Result<bool>> RadosStore::read_rows(Page& page) {
  const std::uint64_t rows_max =
      page.descending ? page.rows_max + page.rows_max / 2 + 8 : page.rows_max;
  ReadRequest request;
  request.keys = {kHeaderKey};
  request.ranges = {{row_before(page.begin), "r", rows_max},
                    {intent_before(page.begin), "i", kRowsMax}};
  auto operation = cluster_->read(page.leaf->object(), request);
  Reply reply = co_await operation;
  if (reply.status < 0)
    co_return tl::unexpected<Error>(to_error(reply.status, page.leaf->object()));
  CO_TRY(const Header header, decode_header(reply.value(kHeaderKey)));
  page.leaf->note(header);
  if (!header.covers(page.begin)) co_return false;
  if (!header.to.empty() && (page.end.empty() || header.to < page.end)) {
    if (page.descending) co_return false;  // the upper part has moved: that comes first
    page.end = header.to;
  }
  // Where the reads were cut short, the page ends there.
  for (const Reply::Entries& range : reply.ranges) {
    if (!range.more) continue;
    std::string cut(key_of_row(range.entries.back().first));
    cut.push_back('\0');
    if (!page.end.empty() && cut >= page.end) continue;
    if (page.descending) {  // many rows have come since the twins were read
      page.rows_max = std::max<std::uint64_t>(1, page.rows_max / 2);
      co_return false;
    }
    page.end = std::move(cut);
  }
  page.rows = std::move(reply.ranges[0].entries);
  while (!page.rows.empty() && !page.end.empty() && key_of_row(page.rows.back().first) >= page.end)
    page.rows.pop_back();
  page.intents.clear();
  for (auto& [key, intent] : reply.ranges[1].entries) {
    if (page.end.empty() || key_of_row(key) < page.end)
      page.intents.emplace(key_of_row(key), std::move(intent));
  }
  page.last = page.descending ? page.begin <= page.from : page.end == page.to;
  co_return true;
}

// Whether the page's rows are its state at the moment it was read. False: read it again.
base::Task<Result<bool>> RadosStore::resolve_page(Page& page) {
  std::map<Stamp, std::string> unrecorded;  // transactions, with the key of an intent
  bool again = false;
  for (const auto& [key, stored] : page.intents) {
    CO_TRY(const Intent intent, decode_intent(stored));
    if (unrecorded.contains(intent.transaction)) continue;
    auto looked_up = look_up(intent.transaction, intent.home);
    CO_TRY(Verdict verdict, co_await looked_up);
    if (verdict.fate == Fate::committed) {
      again = true;
      auto finished = finish(intent.transaction, intent.home, std::move(verdict.keys));
      CO_TRY_VOID(co_await finished);
      continue;
    }
    if (intent.action != Action::append || verdict.fate == Fate::stopped) {
      unrecorded.emplace(intent.transaction, key);
      continue;
    }
    // Undecided. Rows behind it may be committed, and must not be shown without it (S7).
    again = true;
    if (patience_is_over(intent.transaction)) {
      auto stopped = stop_transaction(intent.transaction, intent.home);
      CO_TRY_VOID(co_await stopped);
    } else {
      co_await worker_.sleep(kPageLookAgain);
    }
  }
  if (again || unrecorded.empty()) co_return !again;

  // A record goes after its intents: those that are still there were not committed at the moment of
  // the page.
  ReadRequest request;
  for (const auto& [transaction, key] : unrecorded) request.keys.push_back(intent_key(key));
  auto operation = cluster_->read(page.leaf->object(), request);
  const Reply reply = co_await operation;
  if (reply.status < 0)
    co_return tl::unexpected<Error>(to_error(reply.status, page.leaf->object()));
  for (const auto& [transaction, key] : unrecorded) {
    const Result<Intent> intent = decode_intent(reply.value(intent_key(key)));
    if (!intent || intent->transaction != transaction) co_return false;
  }
  co_return true;
}

}  // namespace stator::store::rados
