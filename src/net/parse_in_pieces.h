#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http_parser.h"

// How the unit test and the fuzz target look at the parser.
namespace stator::net {

// What a connection would see of some input: its requests, and how it ended.
struct Outcome {
  std::vector<std::string> requests;
  RequestParser::Progress end = RequestParser::Progress::in_head;
  int status = 0;
  bool operator==(const Outcome&) const = default;
};

inline std::string describe(const RequestParser& parser, const Request& request) {
  std::string text;
  for (const std::string_view part :
       {request.method, request.path, request.query, request.body, request.x_amz_target,
        request.content_type, request.authorization, request.host, request.origin,
        request.accept_encoding, request.x_amz_date, request.header_lines}) {
    text.append(part).push_back('|');
  }
  return text + (parser.keep_alive() ? "keep" : "close") +
         (parser.expects_continue() ? "+100" : "");
}

// Feeds the input in pieces that end at `splits`, in memory that moves with each piece, as the
// buffer of a connection does.
inline Outcome parse_in_pieces(std::string_view input, std::vector<std::size_t> splits,
                               const RequestParser::Limits& limits, HeadMemo* memo = nullptr) {
  splits.push_back(input.size());
  RequestParser parser(limits, memo);
  Outcome outcome;
  std::vector<char> held;
  std::size_t given = 0;
  for (const std::size_t split : splits) {
    std::vector<char> moved(held.begin(), held.end());
    moved.insert(moved.end(), input.begin() + static_cast<std::ptrdiff_t>(given),
                 input.begin() + static_cast<std::ptrdiff_t>(split));
    held = std::move(moved);
    given = split;
    while (!held.empty()) {
      std::size_t size = held.size();
      outcome.end = parser.parse(held.data(), size);
      held.resize(size);
      if (outcome.end == RequestParser::Progress::failed) {
        outcome.status = parser.error_status();
        return outcome;
      }
      if (outcome.end != RequestParser::Progress::complete) break;
      Request request;
      parser.fill(request, held.data());
      outcome.requests.push_back(describe(parser, request));
      held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(parser.request_bytes()));
      parser.reset();
    }
  }
  return outcome;
}

}  // namespace stator::net
