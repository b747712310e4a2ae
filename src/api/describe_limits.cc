#include "api/json_writer.h"
#include "api/operations.h"

namespace stator::api {

// The quotas of a new account of the service.
base::Task<Result<void>> describe_limits(Call& call) {
  JsonWriter out(call.out);
  out.begin_object();
  out.key("AccountMaxReadCapacityUnits").integer(80'000);
  out.key("AccountMaxWriteCapacityUnits").integer(80'000);
  out.key("TableMaxReadCapacityUnits").integer(40'000);
  out.key("TableMaxWriteCapacityUnits").integer(40'000);
  out.end_object();
  return base::Task<Result<void>>::ready({});
}

}  // namespace stator::api
