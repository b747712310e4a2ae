#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "client/client.h"
#include "design/migrate/throttle.h"

namespace stator::design {

// The calls of one thread of a migration: within the limits, with capacity counted, and patient with a service that
// throttles. One thread at a time.
class Session {
 public:
  // The throttle has to outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Session>> create(const client::Options& options, Throttle& throttle);

  // An item, consistently read; null where there is none.
  [[nodiscard]] Result<client::Json> get(const std::string& table, const client::Json& key);
  // Items by key, consistently read, in any order; what the service leaves unprocessed is asked for again.
  [[nodiscard]] Result<std::vector<client::Json>> get_many(const std::string& table, std::vector<client::Json> keys);
  // Scan or Query. The request is sent as it is.
  [[nodiscard]] Result<client::Json> read(std::string_view operation, client::Json request, double units_about);
  // PutItem, UpdateItem, DeleteItem. False where the condition did not hold.
  [[nodiscard]] Result<bool> write(std::string_view operation, client::Json request, double units_about);

 private:
  Session(std::unique_ptr<client::Client> client, Throttle& throttle)
      : client_(std::move(client)), throttle_(throttle) {}
  [[nodiscard]] Result<client::Json> call(std::string_view operation, client::Json& request, RateLimit& limit,
                                          std::atomic<double>& used, double units_about);

  std::unique_ptr<client::Client> client_;
  Throttle& throttle_;
};

// The error of a migration that was asked to end: it goes on when it is called again.
[[nodiscard]] Error interrupted();
[[nodiscard]] bool is_interrupted(const Error& error);

// Units that writing an item takes, about: by the length of its JSON.
[[nodiscard]] double write_units_about(const client::Json& item);

}  // namespace stator::design
