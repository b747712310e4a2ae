#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/buffer.h"
#include "net/exchange.h"
#include "net/http_parser.h"
#include "net/reactor_context.h"
#include "net/socket.h"

namespace stator::net {

// A client's connection: reads requests, has them handled one after the other, writes the answers
// in their order. Nothing is read while an exchange is under way, so a client that pipelines is
// held back by TCP. Holds buffers only while there are bytes to keep. Used on its reactor's thread
// only.
//
// The functions that return bool do what can be done without waiting; false means that the
// connection is over and must be destroyed. That is never said while an exchange is under way.
class Connection final : public Exchange {
 public:
  Connection(Socket socket, ReactorContext& context);
  ~Connection();

  // `events` are those of an edge-triggered epoll for reading, writing and the other side's end. What they
  // bring is read, and looked at in handle_events(), which has to follow.
  void take_events(std::uint32_t events);
  [[nodiscard]] bool handle_events();
  // Goes on after the connection has put itself on the context's list.
  [[nodiscard]] bool resume();
  // Acts if the client has been too slow. Called now and then.
  [[nodiscard]] bool check_deadline();
  // Ends the connection, or has it end with the answer that is under way.
  [[nodiscard]] bool stop();
  // Closes the socket whatever is under way.
  void abandon() noexcept { socket_.close(); }

  void finish(int status, std::string_view content_type) override;

  [[nodiscard]] int fd() const noexcept { return socket_.fd(); }

  std::size_t index = 0;  // the reactor's, its place in the list of connections

 private:
  enum class Phase : std::uint8_t {
    reading,    // a request is awaited or arriving
    handling,   // the handler has the exchange
    closing,    // once the output is written
    lingering,  // everything is said; what the client still sends is thrown away
  };
  enum class Step : std::uint8_t { again, wait, lost };
  enum class Wait : std::uint8_t { nothing, idle, head, body, write, linger };

  bool run();
  bool advance();
  Step read_step();
  Step receive();
  Step discard();
  bool make_room();
  void count_input() noexcept;
  void release_input() noexcept;
  void offer_continue();
  void dispatch();
  bool unzip_body();
  void call_handler();
  void answer_preflight();
  void refuse(int status);
  void answer(int status, std::string_view content_type);
  std::string_view zip_body();
  void end_request() noexcept;
  bool flush();
  bool settle();
  bool lost() noexcept;
  void schedule();
  void wait_for(Wait wait) noexcept;
  void count_moved(std::size_t bytes) noexcept;
  [[nodiscard]] std::int64_t timeout_ms(Wait wait) const noexcept;

  ReactorContext& context_;
  Socket socket_;
  RequestParser parser_;

  base::Buffer input_;
  std::size_t input_begin_ = 0;    // where the current request begins
  std::size_t input_counted_ = 0;  // in the context's input_bytes
  base::Buffer unzipped_;
  base::Buffer output_;
  std::size_t output_sent_ = 0;  // of output_ and then, if body_queued_, of body_

  std::int64_t deadline_ms_ = 0;
  std::size_t moved_bytes_ = 0;  // of a body or an answer, since its deadline was set
  std::size_t discarded_bytes_ = 0;
  Phase phase_ = Phase::reading;
  Wait wait_ = Wait::nothing;
  RequestParser::Progress progress_ = RequestParser::Progress::in_head;
  Persistence persistence_ = Persistence::close;
  bool readable_ = false;     // the socket may have bytes
  bool peer_done_ = false;    // the client has sent its end
  bool blocked_ = false;      // the socket takes no more bytes
  bool body_queued_ = false;  // body_ follows output_
  bool in_handler_ = false;   // handle() has not returned yet
  bool scheduled_ = false;    // on the context's list
  bool continue_sent_ = false;
  bool linger_ = false;  // when closing
};

}  // namespace stator::net
