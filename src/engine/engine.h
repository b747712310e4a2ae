#pragma once

#include <cstdint>

#include "base/clock.h"
#include "engine/catalog.h"
#include "store/store.h"

namespace stator::engine {

struct EngineOptions {
  std::int64_t transition_ms = 0;  // how long CREATING, UPDATING and DELETING last; 0: until the answer is out
};

// What every operation works on. Borrowed parts: whoever builds the Engine owns the store and the clock.
struct Engine {
  Engine(store::Store& store_in, const base::Clock& clock_in, EngineOptions options_in = {})
      : store(store_in), clock(clock_in), catalog(store_in, clock_in), options(options_in) {}

  store::Store& store;
  const base::Clock& clock;
  Catalog catalog;
  EngineOptions options;
};

}  // namespace stator::engine
