#include <fmt/format.h>

#include <charconv>
#include <random>

#include "autoscaling/operations.h"

namespace stator::autoscaling {
namespace {

// The model has let a namespace of the service pass.
Result<void> check_namespace(const service::Parameters& in) {
  if (*in.string("ServiceNamespace") == kDynamoDb) return {};
  return refuse_validation("Unsupported service namespace, resource type or scalable dimension");
}

}  // namespace

Result<TargetKey> read_target_key(const service::Parameters& in) {
  TRY_VOID(check_namespace(in));
  TargetKey key{*in.string("ResourceId"), *in.string("ScalableDimension")};
  if (!parse_target(key)) return refuse_validation("Unsupported service namespace, resource type or scalable dimension");
  return key;
}

Result<Filter> read_filter(const service::Parameters& in) {
  TRY_VOID(check_namespace(in));
  Filter filter{in.string("ResourceId"), in.string("ScalableDimension")};
  if (filter.dimension && !filter.resource && !in.has("ResourceIds")) {
    return refuse_validation("Scalable dimension can be specified only with a resource ID");
  }
  if (const auto limit = in.integer("MaxResults")) filter.limit = static_cast<std::size_t>(*limit);
  if (const auto token = in.string("NextToken")) {
    const auto [end, error] = std::from_chars(token->data(), token->data() + token->size(), filter.begin);
    if (error != std::errc() || end != token->data() + token->size()) {
      return service::refuse("InvalidNextTokenException", "Invalid NextToken provided");
    }
  }
  return filter;
}

service::Value Page::answer(std::string_view member) {
  service::Value answer = service::Value::structure().set(member, std::move(values_));
  if (found_ > filter_.begin && found_ - filter_.begin > filter_.limit) {
    answer.set("NextToken", std::to_string(filter_.begin + filter_.limit));
  }
  return answer;
}

std::string make_uuid() {
  std::random_device random;
  const std::uint32_t a = random();
  const std::uint32_t b = random();
  const std::uint32_t c = random();
  const std::uint32_t d = random();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:04x}{:08x}", a, b >> 16, b & 0xfff, 0x8000 | (c >> 18), c & 0xffff, d);
}

}  // namespace stator::autoscaling
