// Answers of a Redis server (RESP): status, error, integer and bulk replies.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bench/load/response_parser.h"

namespace stator::bench {

class RespParser : public ResponseParser {
 public:
  explicit RespParser(BodyRange expected) : expected_(expected) {}

  Step Consume(std::string_view data) override;
  bool failed() const override { return failed_; }
  std::string Describe() const override { return sample_; }

 private:
  // Looks at a reply's first line, without its line end, and sets what is left to skip.
  void StartReply(std::string_view line);

  BodyRange expected_;
  std::string partial_line_;  // The part of a first line that earlier calls took.
  std::string sample_;
  std::uint64_t left_ = 0;  // Bytes of a bulk reply still to come, its line end included.
  bool failed_ = false;
};

}  // namespace stator::bench
