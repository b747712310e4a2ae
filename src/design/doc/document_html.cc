#include <fmt/format.h>

#include <map>

#include "base/markup.h"
#include "design/doc/collections.h"
#include "design/doc/document.h"
#include "design/doc/page_style.h"
#include "design/report/text_table.h"
#include "design/resolve.h"
#include "design/shape.h"

namespace stator::design {

namespace {

using base::escape_markup;

// Hues far apart for neighbours; entities keep theirs on the whole page.
class Colours {
 public:
  explicit Colours(const Model& model) {
    constexpr int kHues[] = {212, 28, 145, 340, 265, 50, 185, 5, 95, 300};
    std::size_t at = 0;
    for (const Entity& entity : model.entities) {
      const int round = static_cast<int>(at / std::size(kHues));
      hues_[entity.name] = (kHues[at % std::size(kHues)] + 17 * round) % 360;
      ++at;
    }
  }
  [[nodiscard]] std::string style(const std::string& entity) const {
    const auto found = hues_.find(entity);
    return fmt::format("style=\"--hue:{}\"", found == hues_.end() ? 0 : found->second);
  }

 private:
  std::map<std::string, int> hues_;
};

std::string code_tag(const std::string& text) { return text.empty() ? "" : "<code>" + escape_markup(text) + "</code>"; }

std::string chip(const Colours& colours, const std::string& entity) {
  return fmt::format("<span class=\"chip\" {}>{}</span>", colours.style(entity), escape_markup(entity));
}

std::string facts(const Model& model) {
  const Table& table = model.table;
  std::string out = "<ul class=\"facts\">\n";
  const auto add = [&](const std::string& text) { out += "<li>" + text + "</li>\n"; };
  add("table " + code_tag(table.name));
  add("partition key " + code_tag(table.partition_key.name));
  if (table.sort_key) add("sort key " + code_tag(table.sort_key->name));
  add(table.capacity.mode == CapacityMode::provisioned
          ? fmt::format("provisioned {} RCU, {} WCU", figure(table.capacity.read_units),
                        figure(table.capacity.write_units))
          : "on-demand");
  if (!table.type_attribute.empty()) add("type in " + code_tag(table.type_attribute));
  if (!model.ttl_attribute().empty()) add("expires by " + code_tag(std::string(model.ttl_attribute())));
  for (const Index& index : model.indexes) {
    add(fmt::format("index <b>{}</b>: {}", escape_markup(index.name),
                    escape_markup(projection_text(index.projection))));
  }
  return out + "</ul>\n";
}

std::string legend(const Model& model, const Colours& colours) {
  std::string out = "<div class=\"legend\">\n";
  for (const Entity& entity : model.entities) {
    out += fmt::format("<button type=\"button\" aria-pressed=\"false\" data-entity=\"{0}\" {1}>{0}</button>\n",
                       escape_markup(entity.name), colours.style(entity.name));
  }
  return out + "</div>\n";
}

std::string row_html(const ExampleRow& row, const Colours& colours) {
  std::string attributes;
  for (const auto& [name, value] : row.attributes) {
    attributes += fmt::format("<span><b>{}</b> {}</span>", escape_markup(name), escape_markup(value));
  }
  return fmt::format(
      "<div class=\"row\" data-entity=\"{0}\" {1}><span class=\"mono\">{2}</span><span>{3}</span>"
      "<span class=\"attributes\">{4}</span></div>\n",
      escape_markup(row.entity), colours.style(row.entity), escape_markup(row.sort_key), chip(colours, row.entity),
      attributes);
}

std::string band(const ExampleCollection& collection, const Colours& colours) {
  std::string out = fmt::format(
      "<section class=\"band\"><header><span class=\"mono\">{}</span><small class=\"mono\">{}</small></header>\n"
      "<div class=\"rows\">\n",
      escape_markup(collection.partition_key), escape_markup(collection.key_template));
  for (const ExampleRow& row : collection.rows) out += row_html(row, colours);
  if (collection.left_out > 0)
    out += fmt::format("<div class=\"more\">and {} more items in this example</div>\n",
                       figure(static_cast<double>(collection.left_out)));
  return out + "</div></section>\n";
}

std::string tabs(const Model& model, const std::vector<ExampleView>& views, const Colours& colours) {
  std::string buttons;
  std::string bodies;
  std::string rules;
  for (std::size_t at = 0; at < views.size(); ++at) {
    const ExampleView& view = views[at];
    const std::string index = view.index == nullptr ? "" : view.index->name;
    const KeyAttribute* sort_key = model.sort_key(index);
    buttons +=
        fmt::format("<input type=\"radio\" name=\"view\" id=\"view{0}\"{1}><label for=\"view{0}\">{2}</label>\n", at,
                    at == 0 ? " checked" : "", escape_markup(view.index == nullptr ? "Table" : view.index->name));
    rules += fmt::format("#view{0}:checked ~ #body{0} {{ display: block; }}\n", at);
    bodies += fmt::format("<div class=\"view\" id=\"body{}\">\n<p>By {}{}{}.</p>\n", at,
                          code_tag(model.partition_key(index).name), sort_key == nullptr ? "" : ", in the order of ",
                          sort_key == nullptr ? "" : code_tag(sort_key->name));
    for (const ExampleCollection& collection : view.collections) bodies += band(collection, colours);
    bodies += "</div>\n";
  }
  return fmt::format("<style>\n{}</style>\n<div class=\"tabs\">\n{}{}</div>\n", rules, buttons, bodies);
}

std::string patterns(const Model& model) {
  std::string out =
      "<div class=\"scroll\"><table>\n<tr><th>pattern</th><th>what</th><th>call</th><th>key</th><th>per "
      "second</th></tr>\n";
  for (const Pattern& pattern : model.patterns) {
    const Resolution resolution = resolve(model, pattern);
    std::string call = resolution.call;
    if (resolution.index != nullptr) call += " on " + resolution.index->name;
    if (resolution.calls > 1) call += " × " + rounded(resolution.calls);
    out += fmt::format(
        "<tr><td class=\"name\">{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td></tr>\n",
        escape_markup(pattern.name), escape_markup(pattern.description), escape_markup(call),
        code_tag(pattern_key_text(model, pattern)), escape_markup(rate_text(pattern.rate)));
  }
  return out + "</table></div>\n";
}

std::string entities(const Model& model, const Colours& colours) {
  std::string out = "<div class=\"scroll\"><table>\n<tr><th>entity</th>";
  for (const KeyAttribute& key : model.key_attributes()) out += fmt::format("<th>{}</th>", escape_markup(key.name));
  out += "<th>items</th><th>item</th><th>in indexes</th></tr>\n";
  for (const Entity& entity : model.entities) {
    out += "<tr><td>" + chip(colours, entity.name) + "</td>";
    for (const KeyAttribute& key : model.key_attributes()) {
      const Template* value = entity.key(key.name);
      out += "<td>" + (value == nullptr ? "" : code_tag(value->text())) + "</td>";
    }
    std::string sparse;
    for (const SparseCondition& condition : entity.sparse) {
      sparse += fmt::format("{}{}: {}", sparse.empty() ? "" : "; ", condition.index, sparse_text(condition));
    }
    out += fmt::format("<td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
                       figure(item_count(model, entity)), bytes_text(item_bytes(model, entity).typical),
                       escape_markup(sparse));
  }
  return out + "</table></div>\n";
}

std::string decisions(const Model& model) {
  std::string rows;
  const auto add = [&](const std::string& where, const std::vector<Allowance>& allowances) {
    for (const Allowance& allowance : allowances) {
      rows += fmt::format("<tr><td class=\"name\">{}</td><td>{}</td><td>{}</td></tr>\n", escape_markup(where),
                          code_tag(allowance.rule), escape_markup(allowance.reason));
    }
  };
  add(model.name, model.allow);
  for (const Index& index : model.indexes) add(index.name, index.allow);
  for (const Entity& entity : model.entities) add(entity.name, entity.allow);
  for (const Pattern& pattern : model.patterns) add(pattern.name, pattern.allow);
  if (rows.empty()) return "";
  return "<h2>Decisions</h2>\n<div class=\"scroll\"><table>\n<tr><th>where</th><th>rule</th><th>why it is fine "
         "here</th></tr>\n" +
         rows + "</table></div>\n";
}

}  // namespace

Result<std::string> document_html(const Model& model) {
  TRY(const std::vector<ExampleView> views, example_views(model));
  const Colours colours(model);
  const std::string title = escape_markup(model.name);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}: table design</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n",
      title, kPageStyle);
  out += fmt::format("<h1>{}</h1>\n", title);
  if (!model.description.empty()) out += fmt::format("<p>{}</p>\n", escape_markup(model.description));
  out += facts(model);
  out +=
      "<h2>Item collections</h2>\n<p>One band for each partition key, one row for each item, by example. "
      "A click on an entity picks out its items.</p>\n";
  out += legend(model, colours) + tabs(model, views, colours);
  out += "<h2>Access patterns</h2>\n" + patterns(model);
  out += "<h2>Entities and their keys</h2>\n" + entities(model, colours);
  out += decisions(model);
  out +=
      "<footer>Written by <code>stator design doc</code> from the model file; change the model and run it "
      "again.</footer>\n";
  out += fmt::format("</main>\n<script>{}</script>\n</body>\n</html>\n", kPageScript);
  return out;
}

}  // namespace stator::design
