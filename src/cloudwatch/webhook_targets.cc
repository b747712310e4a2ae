#include "cloudwatch/webhook_targets.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace stator::cloudwatch {
namespace {

constexpr std::string_view kScheme = "http://";
constexpr std::string_view kLoopback = "loopback";
constexpr std::size_t kHostBytesMax = 253;

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port >= 1 && port <= 65535;
}

bool is_host(std::string_view text) {
  return !text.empty() && text.size() <= kHostBytesMax && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  });
}

bool is_ipv6(const std::string& text) {
  in6_addr address{};
  return inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// host, host:port or [address]:port; the port stays empty where there is none. Whether it was one.
bool split_authority(std::string_view text, std::string& host, std::string& port) {
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return false;
    host = lower(text.substr(1, close - 1));
    text.remove_prefix(close + 1);
    if (!is_ipv6(host)) return false;
  } else {
    const std::size_t colon = text.find(':');
    host = lower(text.substr(0, colon));
    text.remove_prefix(colon == std::string_view::npos ? text.size() : colon);
    if (host != "*" && !is_host(host)) return false;
  }
  if (text.empty()) return true;
  port = text.substr(1);
  return text.front() == ':' && is_port(port);
}

// The machine itself, by a name or address that cannot mean another one.
bool is_loopback(const std::string& host) {
  if (host == "localhost") return true;
  in_addr four{};
  if (inet_pton(AF_INET, host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  in6_addr six{};
  return inet_pton(AF_INET6, host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

}  // namespace

std::optional<WebhookUrl> WebhookUrl::parse(std::string_view url) {
  if (!url.starts_with(kScheme)) return std::nullopt;
  if (!std::all_of(url.begin(), url.end(), [](char c) { return c > 0x20 && c < 0x7f; })) return std::nullopt;
  url.remove_prefix(kScheme.size());
  WebhookUrl parsed;
  std::string port;
  const std::size_t end = url.find_first_of("/?#");
  if (!split_authority(url.substr(0, end), parsed.host, port) || parsed.host == "*") return std::nullopt;
  if (!port.empty()) parsed.port = port;
  if (end != std::string_view::npos) {
    const std::string_view rest = url.substr(end, url.find('#') - end);
    parsed.path = rest.starts_with('/') ? std::string(rest) : "/" + std::string(rest);
  }
  return parsed;
}

std::string WebhookUrl::authority() const {
  return fmt::format(fmt::runtime(host.find(':') == std::string::npos ? "{}:{}" : "[{}]:{}"), host, port);
}

WebhookTargets::WebhookTargets() : targets_{{std::string(kLoopback), ""}} {}

Result<WebhookTargets> WebhookTargets::parse(std::string_view list) {
  std::vector<Target> targets;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view word = list.substr(0, comma);
    Target target;
    if (!split_authority(word, target.host, target.port)) return invalid(fmt::format("'{}' is no host, host:port or *", word));
    targets.push_back(std::move(target));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return WebhookTargets(std::move(targets));
}

bool WebhookTargets::allows(const WebhookUrl& url) const {
  return std::any_of(targets_.begin(), targets_.end(), [&](const Target& target) {
    const bool host = target.host == "*" || target.host == url.host || (target.host == kLoopback && is_loopback(url.host));
    return host && (target.port.empty() || target.port == url.port);
  });
}

}  // namespace stator::cloudwatch
