#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/exchange.h"
#include "service/service.h"

namespace stator::server {

// A service beside DynamoDB on the same endpoint, and how its requests are told apart.
struct ServiceEntry {
  service::Service* service = nullptr;  // outlives the registry
  std::string_view target_prefix;       // of X-Amz-Target and of the path of RPC v2: GraniteServiceVersion20100801
  std::string_view model_namespace;     // of names of errors in RPC v2: com.amazonaws.cloudwatch
  std::string_view api_version;         // of the Query protocol; empty: the service does not speak it
  std::string_view xml_namespace;
};

// Finds the service of a request by its protocol and target, decodes, has it answered, encodes. Filled before the server
// starts; then called by every reactor at once.
class ServiceRegistry {
 public:
  explicit ServiceRegistry(std::string account_id) : account_id_(std::move(account_id)) {}
  void add(ServiceEntry entry) { entries_.push_back(entry); }

  // Whether the request is one of these services'. If so it is answered, now or later.
  [[nodiscard]] bool handle(net::Exchange& exchange) const;
  // The same, with an answer that says that there is no room for the request.
  [[nodiscard]] bool turn_away(net::Exchange& exchange, const std::string& message) const;

 private:
  std::string account_id_;
  std::vector<ServiceEntry> entries_;
};

}  // namespace stator::server
