// Answers of an HTTP/1.1 server, delimited by Content-Length.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bench/load/response_parser.h"

namespace stator::bench {

class HttpParser : public ResponseParser {
 public:
  explicit HttpParser(BodyRange expected) : expected_(expected) {}

  Step Consume(std::string_view data) override;
  bool failed() const override { return failed_; }
  std::string Describe() const override { return sample_; }

 private:
  // Takes the head from the front of `data`. Returns how many bytes of `data` belong to it.
  std::size_t ConsumeHead(std::string_view data);
  void StartBody(std::string_view head);

  BodyRange expected_;
  std::string partial_head_;  // The part of a head that earlier calls took.
  std::string sample_;
  std::uint64_t body_left_ = 0;
  bool in_body_ = false;
  bool failed_ = false;
};

}  // namespace stator::bench
