#pragma once

#include <cstdint>
#include <vector>

#include "net/buffer_pool.h"
#include "net/exchange.h"
#include "net/gzip.h"
#include "net/head_memo.h"
#include "net/request_id.h"
#include "net/response.h"
#include "net/server.h"

namespace stator::net {

class Connection;

// What the connections of one reactor share. One thread.
struct ReactorContext {
  const ServerOptions& options;
  Handler& handler;

  std::size_t input_bytes_max;  // this reactor's share

  BufferPool buffers;
  Gzip gzip;
  HeadMemo heads;
  RequestIds request_ids;
  DateLine date;
  std::int64_t now_ms = 0;      // monotonic and coarse, of the turn of the loop
  std::size_t input_bytes = 0;  // held by large input buffers
  bool stopping = false;        // answers ask the client to close
  // Connections to go on with in the next turn of the loop.
  std::vector<Connection*> to_resume;
};

}  // namespace stator::net
