#include "design/deploy/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "design/resolve.h"

namespace stator::design {

namespace {

using OrderedJson = nlohmann::ordered_json;

// One access that a pattern needs: an action on the table or an index, under a partition key.
struct Access {
  std::string action;
  std::string index;
  Template key;
  bool scans = false;  // without a key
};

std::string_view action_name(ActionKind kind) {
  switch (kind) {
    case ActionKind::get:
      return "dynamodb:GetItem";
    case ActionKind::put:
      return "dynamodb:PutItem";
    case ActionKind::update:
      return "dynamodb:UpdateItem";
    case ActionKind::erase:
      return "dynamodb:DeleteItem";
    case ActionKind::check:
      break;
  }
  return "dynamodb:ConditionCheckItem";
}

// Transactions are authorised by the actions of their items, batches by their own name.
std::string action_of(const Pattern& pattern, const Action& action) {
  if (pattern.kind == PatternKind::batch_get) return "dynamodb:BatchGetItem";
  if (pattern.kind == PatternKind::batch_write) return "dynamodb:BatchWriteItem";
  return std::string(action_name(action.kind));
}

std::vector<Access> accesses_of(const Model& model, const Pattern& pattern) {
  std::vector<Access> accesses;
  if (pattern.actions.empty()) {
    const bool get = pattern.kind == PatternKind::get;
    Access access{get                                 ? "dynamodb:GetItem"
                  : pattern.kind == PatternKind::scan ? "dynamodb:Scan"
                                                      : "dynamodb:Query",
                  pattern.index,
                  {},
                  pattern.kind == PatternKind::scan};
    if (const KeyCondition* key = pattern.condition(model.partition_key(pattern.index).name)) access.key = key->value;
    accesses.push_back(std::move(access));
  }
  for (const Action& action : pattern.actions) {
    Access access{action_of(pattern, action), "", {}, false};
    for (const KeyCondition& key : key_of(model, action))
      if (key.attribute == model.table.partition_key.name) access.key = key.value;
    accesses.push_back(std::move(access));
  }
  return accesses;
}

std::string arn(const Model& model, const std::string& index, const PolicyOptions& options) {
  const std::string table = fmt::format("arn:{}:dynamodb:{}:{}:table/{}", options.partition, options.region,
                                        options.account, model.table.name);
  return index.empty() ? table : table + "/index/" + index;
}

// A statement identifier has letters and digits only.
std::string statement_id(const std::string& target, bool reads) {
  std::string out;
  for (const char c : target)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) out += c;
  return (reads ? "Read" : "Write") + out;
}

bool is_read_action(const std::string& action) {
  return action == "dynamodb:GetItem" || action == "dynamodb:Query" || action == "dynamodb:Scan" ||
         action == "dynamodb:BatchGetItem";
}

struct Statement {
  std::set<std::string> actions;
  std::vector<std::string> keys;  // in the order of the patterns
};

class PolicyBuilder {
 public:
  PolicyBuilder(const Model& model, const Principal* principal, const PolicyOptions& options)
      : model_(model), principal_(principal), options_(options) {}

  Policy build() {
    Policy policy;
    policy.principal = principal_ == nullptr ? "application" : principal_->name;
    for (const Pattern& pattern : model_.patterns) add(pattern, policy);
    policy.document["Version"] = "2012-10-17";
    policy.document["Statement"] = OrderedJson::array();
    for (const auto& [where, statement] : statements_)
      policy.document["Statement"].push_back(statement_json(where, statement));
    return policy;
  }

 private:
  // Table before indexes, reads before writes.
  struct Where {
    std::string index;
    bool writes;
    auto operator<=>(const Where&) const = default;
  };

  bool is_named(const Pattern& pattern) const {
    const auto& names = principal_->patterns;
    return names.empty() || std::find(names.begin(), names.end(), pattern.name) != names.end();
  }

  void add(const Pattern& pattern, Policy& policy) {
    if (principal_ != nullptr && !is_named(pattern)) {
      policy.left_out.push_back(fmt::format("{}: not among the patterns of this principal", pattern.name));
      return;
    }
    const std::vector<Access> accesses = accesses_of(model_, pattern);
    std::vector<std::string> keys;
    for (const Access& access : accesses) {
      if (principal_ == nullptr) continue;
      keys.push_back(leading_key(access.key, *principal_, model_.delimiter));
      if (!keys.back().empty()) continue;
      policy.left_out.push_back(fmt::format("{}: its partition key {} does not hold {{{}}} as a whole component",
                                            pattern.name, access.key.empty() ? "(none)" : access.key.text(),
                                            principal_->parameter));
      return;
    }
    for (std::size_t at = 0; at < accesses.size(); ++at) {
      const Access& access = accesses[at];
      Statement& statement = statements_[{access.index, !is_read_action(access.action)}];
      statement.actions.insert(access.action);
      if (principal_ == nullptr) continue;
      if (std::find(statement.keys.begin(), statement.keys.end(), keys[at]) == statement.keys.end()) {
        statement.keys.push_back(keys[at]);
      }
    }
  }

  OrderedJson statement_json(const Where& where, const Statement& statement) const {
    OrderedJson out = {{"Sid", statement_id(where.index.empty() ? "Table" : where.index, !where.writes)},
                {"Effect", "Allow"},
                {"Action", statement.actions},
                {"Resource", arn(model_, where.index, options_)}};
    if (principal_ != nullptr) {
      // Without the second condition a request that has no leading keys would pass: "for all of none" holds.
      out["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"] = statement.keys;
      out["Condition"]["Null"]["dynamodb:LeadingKeys"] = "false";
    }
    return out;
  }

  const Model& model_;
  const Principal* principal_;
  const PolicyOptions& options_;
  std::map<Where, Statement> statements_;
};

}  // namespace

std::string leading_key(const Template& key, const Principal& principal, char delimiter) {
  const std::vector<Part>& parts = key.parts();
  std::string out;
  bool found = false;
  for (std::size_t at = 0; at < parts.size(); ++at) {
    const Part& part = parts[at];
    if (part.kind == PartKind::literal) {
      out += part.text;
      continue;
    }
    const bool own =
        part.kind == PartKind::field && part.text == principal.parameter && part.format.kind == FormatKind::plain;
    if (!own) {
      out += '*';
      continue;
    }
    const bool ends =
        at + 1 == parts.size() || (parts[at + 1].kind == PartKind::literal && parts[at + 1].text.front() == delimiter);
    const bool begins = at == 0 || (parts[at - 1].kind == PartKind::literal && parts[at - 1].text.back() == delimiter);
    // A star before it could swallow another tenant's name together with the delimiter.
    if (!ends || !begins || out.find('*') != std::string::npos) return "";
    out += fmt::format("${{{}}}", principal.variable);
    found = true;
  }
  return found ? out : "";
}

std::vector<Policy> policies_of(const Model& model, const PolicyOptions& options) {
  std::vector<Policy> policies;
  for (const Principal& principal : model.principals)
    policies.push_back(PolicyBuilder(model, &principal, options).build());
  if (policies.empty()) policies.push_back(PolicyBuilder(model, nullptr, options).build());
  return policies;
}

}  // namespace stator::design
