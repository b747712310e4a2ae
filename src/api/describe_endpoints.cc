#include "api/json_writer.h"
#include "api/operations.h"

namespace stator::api {

// Clients with endpoint discovery ask where to go: here, at the address by which they reached us.
base::Task<Result<void>> describe_endpoints(Call& call) {
  JsonWriter out(call.out);
  out.begin_object();
  out.key("Endpoints").begin_array().begin_object();
  out.key("Address").string(call.host);
  out.key("CachePeriodInMinutes").integer(1440);
  out.end_object().end_array().end_object();
  return base::Task<Result<void>>::ready({});
}

}  // namespace stator::api
