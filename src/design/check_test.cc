#include "design/check.h"

#include <fmt/format.h>

#include "design/rules/rule.h"
#include "design/test_support.h"

// What the golden files do not show: limits at n - 1, n and n + 1, and designs close to a trap that are fine.
namespace stator::design {
namespace {

std::string one_entity(std::string_view attributes, std::string_view keys, std::string_view pattern,
                       std::string_view count = "10k") {
  return fmt::format("entities:\n  E:\n    count: {}\n    attributes: {}\n    keys: {}\npatterns:\n  p: {}\n", count,
                     attributes, keys, pattern);
}

constexpr char kGet[] = "{kind: get, entity: E, key: {PK: \"E#{id}\", SK: A}, rate: 1}";
constexpr char kKeys[] = "{PK: \"E#{id}\", SK: A}";

TEST(Rules, NamesAreDifferentAndExplained) {
  for (const Rule& rule : all_rules()) {
    EXPECT_EQ(find_rule(rule.name), &rule);
    EXPECT_FALSE(rule.explanation.empty());
  }
  EXPECT_EQ(find_rule("no-such-rule"), nullptr);
}

TEST(ItemTooLarge, BeginsAboveFourHundredKilobytes) {
  // "E#" and an id of 12 bytes (24 at most), A, the names PK, SK, text, and the type E
  const int rest = 2 + 2 + 24 + 2 + 1 + 4 + 11 + 1;
  const auto found = [&](int bytes) {
    const std::string attributes = fmt::format(
        "{{id: {{format: id, unique: true, stored: false}}, text: {{size: 10, max_size: {}}}}}", bytes - rest);
    return findings(one_entity(attributes, kKeys, kGet), "item-too-large");
  };
  EXPECT_EQ(found(400 * 1024 - 1), 0);
  EXPECT_EQ(found(400 * 1024), 0);
  EXPECT_EQ(found(400 * 1024 + 1), 1);
}

TEST(BatchTooLarge, KnowsEachLimit) {
  const auto found = [](std::string_view kind, std::string_view action, int count) {
    const std::string pattern =
        fmt::format("{{kind: {}, actions: [{{{}entity: E, count: {}}}], varies: [id], rate: 1}}", kind, action, count);
    return findings(one_entity("{id: {format: id, unique: true, stored: false}}", kKeys, pattern), "batch-too-large");
  };
  EXPECT_EQ(found("batch_write", "kind: put, ", 25), 0);
  EXPECT_EQ(found("batch_write", "kind: put, ", 26), 1);
  EXPECT_EQ(found("batch_get", "", 100), 0);
  EXPECT_EQ(found("batch_get", "", 101), 1);
  EXPECT_EQ(found("transact_write", "kind: put, ", 100), 0);
  EXPECT_EQ(found("transact_write", "kind: put, ", 101), 1);
}

TEST(KeyTooLong, KnowsBothLimits) {
  const auto found = [](std::string_view keys, int bytes) {
    const std::string attributes = fmt::format("{{id: {{format: id, unique: true, size: 10, max_size: {}}}}}", bytes);
    return findings(one_entity(attributes, keys, "{kind: put, entity: E, rate: 1}"), "key-too-long");
  };
  EXPECT_EQ(found("{PK: \"{id}\", SK: A}", 2048), 0);
  EXPECT_EQ(found("{PK: \"{id}\", SK: A}", 2049), 1);
  EXPECT_EQ(found("{PK: A, SK: \"{id}\"}", 1024), 0);
  EXPECT_EQ(found("{PK: A, SK: \"{id}\"}", 1025), 1);
}

struct Sortable {
  const char* attribute;
  const char* part;
  int findings;
};

TEST(NotSortable, KnowsWhatSortsAsText) {
  constexpr Sortable kCases[] = {
      {"{type: N, min: 0, max: 10}", "{n}", 1},
      {"{type: N, min: 0, max: 9}", "{n}", 0},  // one digit always
      {"{type: N, min: 1000, max: 9999}", "{n}", 0},
      {"{type: N}", "{n}", 1},
      {"{type: N, min: 0, max: 999}", "{n:03}", 0},
      {"{type: N, min: 0, max: 1000}", "{n:03}", 1},
      {"{type: N, min: -5, max: 5}", "{n:02}", 1},
      {"{type: N, min: 0, max: 5, decimals: 1}", "{n:3.1}", 0},
      {"{type: N, min: 0, max: 10, decimals: 1}", "{n:3.1}", 1},
      {"{format: epoch}", "{n}", 0},
      {"{format: date}", "{n}", 0},
      {"{format: day_first}", "{n}", 1},
      {"{format: ulid}", "{n}", 0},
  };
  for (const Sortable& one : kCases) {
    const std::string attributes = fmt::format("{{id: {{format: id, unique: true}}, n: {}}}", one.attribute);
    const std::string keys = fmt::format("{{PK: \"E#{{id}}\", SK: \"{}\"}}", one.part);
    const std::string pattern = "{kind: query, entity: E, key: {PK: \"E#{id}\"}, rate: 1}";
    EXPECT_EQ(findings(one_entity(attributes, keys, pattern), "not-sortable"), one.findings)
        << one.attribute << one.part;
  }
}

struct Prefix {
  const char* family;  // the attribute
  const char* value;   // of begins_with
  int findings;
};

TEST(PrefixWithoutDelimiter, IsFineWhereNoValueBeginsAnother) {
  constexpr Prefix kCases[] = {
      {"{format: id}", "C#{f}", 1},   {"{format: id}", "C#{f}#", 0},          {"{format: id}", "C#Audio", 1},
      {"{format: id}", "C#", 0},      {"{format: date}", "C#{f}", 0},         {"{format: datetime}", "C#{f:day}", 0},
      {"{format: uuid}", "C#{f}", 0}, {"{values: [OPEN, DONE]}", "C#{f}", 0}, {"{values: [OPEN, OPENED]}", "C#{f}", 1},
  };
  for (const Prefix& one : kCases) {
    const std::string attributes = fmt::format("{{id: {{format: id, unique: true}}, f: {}}}", one.family);
    const std::string pattern = fmt::format(
        "{{kind: query, entity: E, key: {{PK: X, SK: {{begins_with: \"{}\"}}}}, limit: 5, rate: 1}}", one.value);
    EXPECT_EQ(findings(one_entity(attributes, "{PK: X, SK: \"C#{f}#{id}\"}", pattern), "prefix-without-delimiter"),
              one.findings)
        << one.family << " " << one.value;
  }
}

TEST(Partitions, AShardSilencesTheRules) {
  const auto found = [](std::string_view partition_key, std::string_view rule) {
    const std::string attributes = "{id: {format: id, unique: true}, day: {format: date}}";
    const std::string keys = fmt::format("{{PK: \"{}\", SK: \"{{id}}\"}}", partition_key);
    return findings(one_entity(attributes, keys, "{kind: put, entity: E, rate: 1}", "1M"), rule);
  };
  EXPECT_EQ(found("ALL", "low-cardinality-partition"), 1);
  EXPECT_EQ(found("ALL#{shard(id, 10)}", "low-cardinality-partition"), 0);
  EXPECT_EQ(found("DAY#{day}", "date-partition"), 1);
  EXPECT_EQ(found("DAY#{day}", "low-cardinality-partition"), 0);
  EXPECT_EQ(found("DAY#{day}#{shard(id, 10)}", "date-partition"), 0);
  EXPECT_EQ(found("{id}#{day}", "date-partition"), 0);
}

TEST(LowCardinality, NeedsManyItemsPerKey) {
  const auto found = [](std::string_view count) {
    return findings(one_entity("{id: {format: id, unique: true}}", "{PK: ALL, SK: \"{id}\"}",
                               "{kind: put, entity: E, rate: 1}", count),
                    "low-cardinality-partition");
  };
  EXPECT_EQ(found("1000"), 0);
  EXPECT_EQ(found("1001"), 1);
}

TEST(MissingIndex, IsWrongIndexWhereAnotherOneServes) {
  const std::string head =
      "indexes:\n  Mail: {partition_key: mailKey, projection: keys_only}\n"
      "entities:\n  E:\n    count: 10\n"
      "    attributes: {id: {format: id, unique: true}, mail: {format: email, unique: true}, name: S}\n"
      "    keys: {PK: \"E#{id}\", SK: A, mailKey: \"{mail}\"}\npatterns:\n"
      "  used: {kind: query, index: Mail, entity: E, key: {mailKey: \"{mail}\"}, count_only: true, rate: 1}\n";
  const std::string by_mail = head + "  p: {kind: query, entity: E, key: {PK: \"MAIL#{mail}\"}, rate: 1}\n";
  EXPECT_EQ(findings(by_mail, "wrong-index"), 1);
  EXPECT_EQ(findings(by_mail, "missing-index"), 0);
  const std::string by_name = head + "  p: {kind: query, entity: E, key: {PK: \"NAME#{name}\"}, rate: 1}\n";
  EXPECT_EQ(findings(by_name, "wrong-index"), 0);
  EXPECT_EQ(findings(by_name, "missing-index"), 1);
}

TEST(Allowances, CoverTheirFindingAndStayVisible) {
  std::string body = one_entity("{id: {format: id, unique: true}}", kKeys, "{kind: scan, entity: E, rate: 1}");
  EXPECT_EQ(check(model_of(body)).errors(), 1U);
  body.insert(body.rfind('}'), ", allow: {pattern-needs-scan: nightly export}");
  const CheckReport report = check(model_of(body));
  EXPECT_EQ(report.errors(), 0U);
  EXPECT_EQ(report.allowed(), 1U);
  EXPECT_TRUE(report.patterns[0].proven);
  EXPECT_EQ(report.findings[0].allowed, "nightly export");
  EXPECT_EQ(check(model_of(body + "allow: {pattern-needs-scan: again}\n")).warnings(), 1U);  // the second does nothing
}

TEST(NPlusOne, LeavesBatchesOverPartitionsAlone) {
  const auto found = [](std::string_view keys, std::string_view more) {
    const std::string pattern = fmt::format("{{kind: batch_get, actions: [{{entity: E, count: 5}}], {}rate: 1}}", more);
    return findings(one_entity("{id: {format: id, unique: true}, line: {type: N, min: 1, max: 9}}", keys, pattern),
                    "n-plus-one");
  };
  EXPECT_EQ(found("{PK: \"E#{id}\", SK: A}", ""), 0);
  EXPECT_EQ(found("{PK: \"E#{id}\", SK: \"L#{line}\"}", ""), 1);
  EXPECT_EQ(found("{PK: \"E#{id}\", SK: \"L#{line}\"}", "varies: [id], "), 0);
}

}  // namespace
}  // namespace stator::design
