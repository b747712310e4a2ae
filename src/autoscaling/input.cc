#include <fmt/format.h>

#include <charconv>
#include <random>

#include "autoscaling/operations.h"

namespace stator::autoscaling {
namespace {

constexpr std::string_view kNamespaces =
    "cassandra, dynamodb, ecs, kafka, lambda, rds, sagemaker, appstream, comprehend, custom-resource, ec2, elasticache, "
    "elasticmapreduce, neptune, workspaces";

Result<void> check_namespace(const std::optional<std::string>& name) {
  if (!name) return refuse_null("serviceNamespace");
  if (*name == kDynamoDb) return {};
  if (kNamespaces.find(*name) == std::string_view::npos) {
    return refuse_validation(fmt::format("1 validation error detected: Value '{}' at 'serviceNamespace' failed to satisfy "
                                         "constraint: Member must satisfy enum value set: [{}]",
                                         *name, kNamespaces));
  }
  return refuse_validation("Unsupported service namespace, resource type or scalable dimension");
}

}  // namespace

Result<TargetKey> read_target_key(const service::Parameters& in) {
  TRY_VOID(check_namespace(in.string("ServiceNamespace")));
  const auto resource = in.string("ResourceId");
  const auto dimension = in.string("ScalableDimension");
  if (!resource) return refuse_null("resourceId");
  if (!dimension) return refuse_null("scalableDimension");
  TargetKey key{*resource, *dimension};
  if (!parse_target(key)) return refuse_validation("Unsupported service namespace, resource type or scalable dimension");
  return key;
}

Result<Filter> read_filter(const service::Parameters& in) {
  TRY_VOID(check_namespace(in.string("ServiceNamespace")));
  Filter filter{in.string("ResourceId"), in.string("ScalableDimension")};
  if (filter.dimension && !filter.resource && !in.has("ResourceIds")) {
    return refuse_validation("Scalable dimension can be specified only with a resource ID");
  }
  if (const auto limit = in.integer("MaxResults")) filter.limit = static_cast<std::size_t>(std::clamp<std::int64_t>(*limit, 1, 50));
  if (const auto token = in.string("NextToken")) {
    const auto [end, error] = std::from_chars(token->data(), token->data() + token->size(), filter.begin);
    if (error != std::errc() || end != token->data() + token->size()) {
      return service::refuse("InvalidNextTokenException", "Invalid NextToken provided");
    }
  }
  return filter;
}

service::Value write_page(std::string_view member, service::Value all, const Filter& filter) {
  service::Value page = service::Value::list();
  const service::Value::List& elements = *all.elements();
  std::size_t i = filter.begin;
  for (; i < elements.size() && i - filter.begin < filter.limit; ++i) page.push(elements[i]);
  service::Value answer = service::Value::structure().set(member, std::move(page));
  if (i < elements.size()) answer.set("NextToken", std::to_string(i));
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
