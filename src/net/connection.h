#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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
  // A spare one is beyond the limit, and has put itself on the context's list of those.
  enum class Kind : std::uint8_t { regular, spare };
  Connection(Socket socket, ClientAddress address, Kind kind, ReactorContext& context);
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
  // Closes for the sake of others; the reactor hears of it when it resumes the connection.
  void give_way();
  // For one in line: begins its request if there is room now, or turns it away if it has waited for long enough.
  [[nodiscard]] bool retry();

  void finish(int status, std::string_view content_type) override;
  void finish_in_pieces(int status, std::string_view content_type, std::unique_ptr<BodySource> rest) override;

  [[nodiscard]] int fd() const noexcept { return socket_.fd(); }
  [[nodiscard]] ClientAddress address() const noexcept { return address_; }
  [[nodiscard]] bool is_spare() const noexcept { return kind_ == Kind::spare; }
  [[nodiscard]] Connection* next_in_line() const noexcept { return line_next_; }
  // Whether nothing is under way that could not be begun again, and the client is the one who is waited for.
  [[nodiscard]] bool is_quiet() const noexcept;
  // Whether it has no request that is to be answered, or has been answered.
  [[nodiscard]] bool is_dispensable() const noexcept {
    return phase_ != Phase::in_line && phase_ != Phase::handling && !source_ && !scheduled_;
  }
  // Whether it is an answer that waits for its client.
  [[nodiscard]] bool is_unread() const noexcept { return wait_ == Wait::write && !scheduled_ && socket_.fd() >= 0; }
  // How long it has waited for its client.
  [[nodiscard]] std::int64_t waited_ms() const noexcept { return context_.now_ms - since_ms_; }

  std::size_t index = 0;  // the reactor's, its place in the list of connections

 private:
  enum class Phase : std::uint8_t {
    reading,    // a request is awaited or arriving
    in_line,    // a request is there and waits for room
    handling,   // the handler has the exchange
    closing,    // once the output is written
    lingering,  // everything is said; what the client still sends is thrown away
  };
  enum class Step : std::uint8_t { again, wait, lost };
  enum class Wait : std::uint8_t { nothing, first, idle, head, body, write, linger };

  bool run();
  bool advance();
  Step read_step();
  Step receive();
  Step discard();
  bool make_room();
  void count_input() noexcept;
  void release_input() noexcept;
  void offer_continue();
  void compact_input();
  void dispatch();
  bool may_begin(std::size_t bytes);
  bool take_place();
  void begin();
  bool unzip_body();
  void call_handler(void (Handler::*how)(Exchange&));
  void join_line();
  void leave_line() noexcept;
  void answer_preflight();
  void refuse(int status);
  void answer(int status, std::string_view content_type);
  void answer_in_pieces(int status, std::string_view content_type);
  [[nodiscard]] ResponseHead start_head(int status, std::string_view content_type);
  void frame_piece(std::size_t start);
  bool append_piece() noexcept;
  std::string_view zip_body();
  void end_request() noexcept;
  void count_unsent(std::size_t bytes) noexcept;
  bool flush();
  bool write_output();
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
  std::size_t answer_reserved_ = 0;     // for the answer that is being made
  std::size_t answer_counted_ = 0;      // in the context's answers, with that
  std::unique_ptr<BodySource> source_;  // of the rest of the answer

  const ClientAddress address_;
  Connection* line_next_ = nullptr;
  Connection* line_previous_ = nullptr;
  std::int64_t line_deadline_ms_ = 0;
  std::int64_t deadline_ms_ = 0;
  std::int64_t since_ms_ = 0;    // when it began to wait for what it waits for; of a body, for the next part
  std::size_t moved_bytes_ = 0;  // of a body or an answer, since its deadline was set
  std::size_t discarded_bytes_ = 0;
  Phase phase_ = Phase::reading;
  Wait wait_ = Wait::nothing;
  RequestParser::Progress progress_ = RequestParser::Progress::in_head;
  Persistence persistence_ = Persistence::close;
  Kind kind_;
  bool readable_ = false;     // the socket may have bytes
  bool peer_done_ = false;    // the client has sent its end
  bool blocked_ = false;      // the socket takes no more bytes
  bool body_queued_ = false;  // body_ follows output_
  bool in_handler_ = false;   // handle() has not returned yet
  bool scheduled_ = false;    // on the context's list
  bool continue_sent_ = false;
  bool chunked_ = false;  // how the pieces of the answer are told apart
  bool linger_ = false;   // when closing
  bool served_ = false;  // a request was answered
};

}  // namespace stator::net
