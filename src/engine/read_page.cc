#include "engine/read_page.h"

#include <algorithm>
#include <utility>

#include "base/turn.h"
#include "engine/page_charge.h"
#include "engine/page_digest.h"
#include "engine/propagate.h"

namespace stator::engine {
namespace {

// The wire text of the key that a following page starts after: table keys, then index keys.
std::string last_key_of(const ReadTarget& target, const item::StoredItem& item) {
  base::Buffer out;
  out.push_back('{');
  std::vector<std::string_view> written;
  const auto append = [&](const KeySchema& key) {
    for (const auto* part : {&key.partition, &key.sort}) {
      for (const KeyAttribute& attribute : *part) {
        if (std::find(written.begin(), written.end(), attribute.name) != written.end()) continue;
        const std::optional<std::string_view> text = item.find_text(attribute.name);
        if (!text) continue;
        if (!written.empty()) out.push_back(',');
        written.push_back(attribute.name);
        out.push_back('"');
        item::append_escaped(out, attribute.name);
        out.append("\":");
        out.append(*text);
      }
    }
  };
  append(target.table->key);
  if (target.index != nullptr) append(target.index->key);
  out.push_back('}');
  return std::string(out.view());
}

// Appends the items of a page that pass the filter.
class Output {
 public:
  Output(const PageRequest& request, const BoundExpressions& expressions, base::Buffer& items)
      : expressions_(expressions),
        items_(items),
        start_(items.size()),
        counts_only_(request.select == Select::count) {}

  // Whether it consists of the rows' items, whole and unfiltered.
  [[nodiscard]] bool plain() const { return !expressions_.filter && !expressions_.projection && !counts_only_; }

  bool passes(const item::StoredItem& item) {
    if (!expressions_.filter) return true;
    scratch_.reset();
    return expressions_.filter->matches(&item, scratch_);
  }
  void add(const item::StoredItem& item) {
    ++count_;
    if (counts_only_) return;
    if (count_ > 1) items_.push_back(',');
    if (expressions_.projection) {
      scratch_.reset();
      expressions_.projection->append(items_, item, scratch_);
    } else {
      items_.append(item.text());
    }
  }
  // Items as text() gave them.
  void add_all(std::int64_t count, std::string_view text) {
    count_ += count;
    items_.append(text);
  }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::string_view text() const { return items_.view().substr(start_); }

 private:
  const BoundExpressions& expressions_;
  base::Buffer& items_;
  const std::size_t start_;  // of the page's items
  const bool counts_only_;
  std::int64_t count_ = 0;
  base::Arena scratch_;  // for one row at a time
};

// A row of a local index whose item must be looked up in the table, which is charged whether it passed the filter or not.
struct KeptRow {
  std::string value;
  bool passes;
};

// Takes rows until the page is full: after `limit` rows or when 1 MB of items, as they were before the filter, is passed. A
// filter or projection may be much work for each of them: then it stops where its turn is over, to go on behind that row.
class PageVisitor final : public store::RowVisitor {
 public:
  PageVisitor(const ReadTarget& target, const PageRequest& request, Output& output, PageCharge& charge,
              std::vector<KeptRow>* kept, const base::Turn& turn)
      : target_(target),
        limit_(request.limit),
        output_(output),
        charge_(charge),
        kept_(kept),
        turn_(turn) {}

  store::Visit row(std::string_view key, std::string_view value) override {
    const Result<item::StoredItem> item = item::StoredItem::open(value);
    if (!item) {
      error_ = item.error();
      return store::Visit::stop;
    }
    if (++scanned_ == 1 && digest_kind() != 0) first_key_ = key;
    bytes_ += item->item_bytes();
    const bool passes = output_.passes(*item);
    if (kept_ != nullptr) {
      kept_->push_back({std::string(value), passes});
    } else if (passes) {
      output_.add(*item);
    }
    const bool goes_on = charge_.row(key, item->item_bytes());
    if (scanned_ == limit_ || bytes_ > kPageBytesMax || !goes_on) {
      last_key_text_ = last_key_of(target_, *item);
      return store::Visit::stop;
    }
    if (output_.plain() || !turn_.is_over()) return store::Visit::next;
    paused_at_ = key;
    return store::Visit::stop;
  }

  std::uint8_t digest_kind() const noexcept override {
    return output_.plain() && !limit_ && kept_ == nullptr && charge_.in_one_partition() ? kPageDigestKind : 0;
  }
  std::string_view make_digest(std::size_t bytes_max) const override {
    return output_.text().size() > bytes_max ? std::string_view()
                                             : pack({scanned_, bytes_, first_key_, output_.text()});
  }
  bool take_digest(std::string_view packed) override {
    const PageDigest digest = unpack(packed);
    if (digest.rows > 0 && !charge_.whole(digest.first_key, digest.item_bytes)) return false;
    scanned_ = digest.rows;
    bytes_ = digest.item_bytes;
    output_.add_all(digest.rows, digest.items);
    return true;
  }

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] std::int64_t scanned() const { return scanned_; }
  // Whether the page ended before its range.
  [[nodiscard]] bool stopped() const { return !last_key_text_.empty(); }
  [[nodiscard]] std::string take_last_key() { return std::move(last_key_text_); }
  // The key of the row behind which it wants to go on, once.
  [[nodiscard]] std::optional<std::string> take_pause() { return std::exchange(paused_at_, std::nullopt); }

 private:
  const ReadTarget& target_;
  std::optional<std::int64_t> limit_;
  Output& output_;
  PageCharge& charge_;
  std::vector<KeptRow>* kept_;  // where rows go that must be looked up in the table first
  std::int64_t scanned_ = 0;
  std::size_t bytes_ = 0;
  std::string first_key_;  // for the digest
  std::string last_key_text_;
  std::optional<std::string> paused_at_;
  std::optional<Error> error_;
  const base::Turn& turn_;
};

// A local index can answer with attributes that it does not hold: they are fetched from the table, at the price of a read
// for each item. A filter is no reason to: it sees what the index holds.
bool needs_fetch(const ReadTarget& target, const PageRequest& request, const BoundExpressions& expressions) {
  const Index* index = target.index;
  if (index == nullptr || index->kind != IndexKind::local || index->projection == ProjectionKind::all) {
    return false;
  }
  if (request.select == Select::all_attributes) return true;
  const auto beyond = [&](std::span<const std::string_view> names) {
    return !std::all_of(names.begin(), names.end(), [&](std::string_view name) { return is_projected(*index, name); });
  };
  return expressions.projection && beyond(expressions.projection->attribute_names());
}

base::Task<Result<void>> fetch_items(Engine& engine, const Table& table,
                                     const std::vector<KeptRow>& index_rows, bool consistent,
                                     Output& output, PageCharge& charge, HalfUnits& cost, base::Arena& arena) {
  std::vector<std::string_view> keys;
  keys.reserve(index_rows.size());
  for (const KeptRow& row : index_rows) {
    CO_TRY(const item::StoredItem item, item::StoredItem::open(row.value));
    const std::optional<KeyValues> key = find_key_values(table.key, item, arena);
    if (!key) co_return fail(ErrorCode::corruption, "an index row without the key of its item");
    keys.push_back(table_row_key(table, *key, arena));
  }
  const Result<std::vector<store::Row>> rows =
      co_await engine.reads(consistent).get_many(keys, store::ReadMode::committed);
  CO_TRY_VOID(rows);
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const store::Row& row = (*rows)[i];
    if (!row.exists) continue;  // deleted since the index was read
    CO_TRY(const item::StoredItem item, item::StoredItem::open(row.value.view()));
    const HalfUnits item_cost = read_cost(item.item_bytes(), consistent);
    charge.fetched(keys[i], item_cost);
    cost += item_cost;
    if (index_rows[i].passes) output.add(item);
  }
  co_return Result<void>();
}

}  // namespace

base::Task<Result<Page>> read_page(Engine& engine, const ReadTarget& target, const PageRequest& request,
                                   const BoundExpressions& expressions, store::Range range,
                                   store::Direction direction, AccessKind kind, base::Buffer& items,
                                   base::Arena& arena) {
  if (engine.outbox != nullptr && target.index != nullptr && target.index->kind == IndexKind::global) {
    const Result<void> caught_up = co_await await_indexes(engine, *target.table);
    CO_TRY_VOID(caught_up);
  }
  const bool fetch = needs_fetch(target, request, expressions);
  std::vector<KeptRow> kept;
  Output output(request, expressions, items);
  PageCharge charge(engine, *target.table, target.index, kind, request.consistent, range);
  base::Turn turn;
  PageVisitor visitor(target, request, output, charge, fetch ? &kept : nullptr, turn);
  std::optional<std::string> paused_at;
  do {
    store::Range rest = range;
    if (paused_at && direction == store::Direction::ascending) rest.from = paused_at->append(1, '\0');
    if (paused_at && direction == store::Direction::descending) rest.to = *paused_at;
    const Result<void> scanned = co_await engine.reads(request.consistent).scan(rest, direction, visitor);
    CO_TRY_VOID(scanned);
    if (visitor.error()) co_return tl::unexpected(*visitor.error());
    paused_at = visitor.take_pause();
    if (paused_at) co_await turn.next();
  } while (paused_at);

  Page page;
  page.consumed.table = target.table;
  CO_TRY_VOID(charge.finish(!visitor.stopped()));
  const HalfUnits cost = charge.cost();
  if (target.index != nullptr) {
    page.consumed.add_index(*target.index, cost);
  } else {
    page.consumed.table_cost = cost;
  }
  if (fetch) {
    const Result<void> fetched = co_await fetch_items(engine, *target.table, kept, request.consistent,
                                                      output, charge, page.consumed.table_cost, arena);
    CO_TRY_VOID(fetched);
  }
  page.count = output.count();
  page.scanned_count = visitor.scanned();
  page.last_key_text = visitor.take_last_key();
  page.has_items = request.select != Select::count;
  co_return page;
}

}  // namespace stator::engine
