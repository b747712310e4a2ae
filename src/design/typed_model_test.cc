// Typed objects of libstator and the templates of a model file give the same keys.
#include <gtest/gtest.h>

#include "design/template.h"
#include "stator/model.h"

namespace stator::design {
namespace {

struct Everything {
  std::string text = "Bonn";
  std::int64_t number = 42;
  Number decimal = Number("4.50");
  std::string time = "2026-06-01T12:34:56Z";
};

#define STATOR_PARTITION "{{x}}#{text}#{text:upper}#{text:lower}#{number}#{shard(text, 10)}"
#define STATOR_SORT "{number:08}#{decimal}#{decimal:06.2}#{time:day}#{time:minute}"

using Table = model::Table<
    "app", model::Keys<"PK", "SK">, model::NoTypeAttribute, model::Indexes<>,
    model::Entity<Everything, "Everything", model::Key<"PK", STATOR_PARTITION>,
                  model::Key<"SK", STATOR_SORT>, model::Attribute<"text", &Everything::text>,
                  model::Attribute<"number", &Everything::number>,
                  model::Attribute<"decimal", &Everything::decimal>,
                  model::Attribute<"time", &Everything::time>>>;

TEST(TypedModel, KeysAreThoseOfTheModelFile) {
  const auto keys =
      model::detail::keys_of<Table, Table::EntityOf<Everything>>(Everything{}, true).value();
  const FieldValues values = {
      {"text", "Bonn"}, {"number", "42"}, {"decimal", "4.5"}, {"time", "2026-06-01T12:34:56Z"}};
  const std::string partition = *Template::parse(STATOR_PARTITION)->evaluate(values);
  EXPECT_EQ(keys.at("PK").as_string(), partition);
  EXPECT_EQ(partition.substr(0, 19), "{x}#Bonn#BONN#bonn#");
  EXPECT_EQ(keys.at("SK").as_string(), *Template::parse(STATOR_SORT)->evaluate(values));
  EXPECT_EQ(keys.at("SK").as_string(), "00000042#4.5#004.50#2026-06-01#2026-06-01T12:34");
}

TEST(TypedModel, ShardsAreThoseOfTheModelFile) {
  for (int i = 0; i < 200; ++i) {
    const std::string value = "o-" + std::to_string(i);
    EXPECT_EQ(std::to_string(model::shard_of(value, 7)),
              *Template::parse("{shard(v, 7)}")->evaluate({{"v", value}}));
  }
}

}  // namespace
}  // namespace stator::design
