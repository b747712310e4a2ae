#pragma once

#include <gtest/gtest.h>

#include <string>

#include "design/check.h"
#include "design/load.h"

// Models for tests, written as the body of a model file.
namespace stator::design {

inline std::string with_head(const std::string& body) {
  return "stator_model: 1\nname: test\n"
         "table: {name: test, partition_key: PK, sort_key: SK, type_attribute: entity_type}\n" +
         body;
}

// The model, or a failure with every problem.
inline Model model_of(const std::string& body) {
  Loaded loaded = load_text(with_head(body), "test.yaml");
  for (const Problem& problem : loaded.problems) ADD_FAILURE() << problem_text(problem);
  return std::move(loaded.model);
}

inline Template template_of(std::string_view text) {
  auto parsed = Template::parse(text);
  if (!parsed) {
    ADD_FAILURE() << text << ": " << parsed.error().message;
    return {};
  }
  return *parsed;
}

// How often a rule fires on the model.
inline int findings(const std::string& body, std::string_view rule) {
  int count = 0;
  for (const Finding& finding : check(model_of(body)).findings) {
    if (finding.rule == rule) ++count;
  }
  return count;
}

}  // namespace stator::design
