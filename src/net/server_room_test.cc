// Answers that come in pieces, answers that wait for room, and what is always answered.
#include <gtest/gtest.h>

#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "net/server.h"
#include "net/test_client.h"
#include "net/test_server.h"

namespace stator::net {
namespace {

constexpr std::size_t kMiB = 1 << 20;

// So many pieces of so many bytes, each of another letter.
class Letters final : public BodySource {
 public:
  Letters(int count, std::size_t bytes) : count_(count), bytes_(bytes) {}
  bool append_piece(base::Buffer& to) override {
    to.append(std::string(bytes_, static_cast<char>('a' + at_ % 26)));
    return ++at_ < count_;
  }

 private:
  const int count_;
  const std::size_t bytes_;
  int at_ = 0;
};

std::string letters(int count, std::size_t bytes) {
  std::string all;
  for (int i = 0; i < count; ++i) all += std::string(bytes, static_cast<char>('a' + i % 26));
  return all;
}

std::string unchunked(std::string_view data) {
  std::string body;
  for (;;) {
    const std::size_t line = data.find("\r\n");
    const std::size_t size = std::strtoul(std::string(data.substr(0, line)).c_str(), nullptr, 16);
    body += data.substr(line + 2, size);
    data.remove_prefix(line + 2 + size + 2);
    if (size == 0) return body + std::string(data);
  }
}

std::string all_of(TestClient& client) {
  std::string all;
  while (!client.at_end()) all += client.take();
  return all;
}

TEST(ServerPieces, ComeInChunksAndTheNextAnswerFollows) {
  TestServer server([](Exchange& exchange) {
    if (exchange.request().path != "/long") return echo(exchange);
    exchange.finish_in_pieces(200, "text/plain", std::make_unique<Letters>(100, 50'000));
  });
  TestClient client(server.port());
  ASSERT_TRUE(client.send("GET /long HTTP/1.1\r\nHost: h\r\n\r\nGET /next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"));
  const std::string all = all_of(client);
  const std::size_t end = all.find("\r\n\r\n");
  const std::string head = all.substr(0, end);
  EXPECT_NE(head.find("Transfer-Encoding: chunked"), std::string::npos) << head;
  EXPECT_EQ(head.find("Content-Length"), std::string::npos) << head;
  const std::string rest = unchunked(std::string_view(all).substr(end + 4));
  const std::string wanted = letters(100, 50'000);
  EXPECT_TRUE(rest.starts_with(wanted));
  EXPECT_TRUE(rest.substr(wanted.size()).starts_with("HTTP/1.1 200 OK")) << rest.substr(wanted.size(), 100);
  EXPECT_TRUE(rest.ends_with("GET /next "));
}

TEST(ServerPieces, EndWithTheConnectionOfAnOldClient) {
  TestServer server([](Exchange& exchange) {
    exchange.finish_in_pieces(200, "text/plain", std::make_unique<Letters>(30, 50'000));
  });
  TestClient client(server.port());
  ASSERT_TRUE(client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
  const std::string all = all_of(client);
  EXPECT_EQ(all.find("chunked"), std::string::npos);
  EXPECT_EQ(all.substr(all.find("\r\n\r\n") + 4), letters(30, 50'000));
}

TEST(ServerPieces, OfWhichThereIsOneAreAnOrdinaryAnswer) {
  TestServer server([](Exchange& exchange) {
    exchange.finish_in_pieces(200, "text/plain", std::make_unique<Letters>(1, 1000));
  });
  TestClient client(server.port());
  ASSERT_TRUE(client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n"));
  const Answer answer = client.receive();
  EXPECT_EQ(answer.header("Content-Length"), "1000");
  EXPECT_EQ(answer.body, letters(1, 1000));
}

TEST(ServerPieces, AreNotMadeForAHead) {
  TestServer server([](Exchange& exchange) {
    exchange.finish_in_pieces(200, "text/plain", std::make_unique<Letters>(30, 50'000));
  });
  TestClient client(server.port());
  ASSERT_TRUE(client.send("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"));
  EXPECT_TRUE(all_of(client).ends_with("\r\n\r\n"));
}

TEST(ServerPieces, AreMadeAsTheyAreTaken) {
  std::atomic<int> made = 0;
  class Counted final : public BodySource {
   public:
    explicit Counted(std::atomic<int>& count) : count_(count) {}
    bool append_piece(base::Buffer& to) override {
      to.append(std::string(64 * 1024, 'x'));
      return ++count_ < 10'000;
    }

   private:
    std::atomic<int>& count_;
  };
  TestServer server([&](Exchange& exchange) {
    if (exchange.request().path == "/") return echo(exchange);
    exchange.finish_in_pieces(200, "text/plain", std::make_unique<Counted>(made));
  });
  TestClient slow(server.port(), 4096);
  ASSERT_TRUE(slow.send("GET /long HTTP/1.1\r\nHost: h\r\n\r\n"));
  while (made == 0) std::this_thread::yield();
  for (int i = 0; i < 100; ++i) {  // enough turns of both reactors for pieces that nobody waits for
    TestClient other(server.port());
    ASSERT_TRUE(other.send(post("/", "x")));
    EXPECT_EQ(other.receive().status, 200);
  }
  EXPECT_LT(made.load(), 1000);
}

// Answers of the size that the body of the request says; /always is answered always.
class SizedHandler final : public Handler {
 public:
  void handle(Exchange& exchange) override {
    exchange.body().append(std::string(size(exchange.request()), 'x'));
    exchange.finish(200, {});
  }
  std::size_t answer_bytes_max(const Request& request) const noexcept override {
    return size(request) > 64 * 1024 ? size(request) : 0;
  }
  bool always_answers(const Request& request) const noexcept override { return request.path == "/always"; }
  void turn_away(Exchange& exchange) override {
    exchange.body().append("away");
    exchange.finish(503, {});
  }

 private:
  static std::size_t size(const Request& request) {
    return std::strtoul(std::string(request.body).c_str(), nullptr, 10);
  }
};

class ServerRoom : public ::testing::Test {
 protected:
  void start(const ServerOptions& options) {
    auto started = Server::start(options, handler_);
    ASSERT_TRUE(started);
    server_ = std::move(*started);
  }
  static ServerOptions options() {
    ServerOptions options = test_options();
    options.answer_bytes_max = 16 * kMiB;
    return options;
  }
  // A client that asks for so much and does not read it.
  std::unique_ptr<TestClient> ask(std::size_t bytes) {
    auto client = std::make_unique<TestClient>(server_->port(), 64 * 1024);
    EXPECT_TRUE(client->send(post("/", std::to_string(bytes))));
    return client;
  }
  Answer answer_to(std::string_view path, std::size_t bytes) {
    TestClient client(server_->port());
    EXPECT_TRUE(client.send(post(path, std::to_string(bytes))));
    return client.receive();
  }

  SizedHandler handler_;
  std::unique_ptr<Server> server_;
};

TEST_F(ServerRoom, LargeAnswersWaitAndAreTurnedAwayInTheEnd) {
  ServerOptions few = options();
  few.room_timeout_ms = 50;
  few.write_timeout_ms = 3'600'000;
  start(few);
  auto slow = ask(16 * kMiB);
  // The first of them may still find room.
  Answer answer;
  do {
    answer = answer_to("/", 8 * kMiB);
    if (answer.status == 200) slow = ask(16 * kMiB);
  } while (answer.status == 200);
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.body, "away");
  EXPECT_EQ(answer_to("/always", 8 * kMiB).status, 200);
}

TEST_F(ServerRoom, SmallAnswersGoOnWhileLargeOnesWait) {
  ServerOptions patient = options();
  patient.answer_bytes_max = 64 * kMiB;
  patient.room_timeout_ms = 3'600'000;
  start(patient);
  std::vector<std::unique_ptr<TestClient>> slow;
  for (int i = 0; i < 12; ++i) slow.push_back(ask(12 * kMiB));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(answer_to("/", 1000).status, 200);
  // Those that were in line are answered when the others have been.
  for (const auto& client : slow) EXPECT_EQ(client->receive().body.size(), 12 * kMiB);
}

TEST_F(ServerRoom, IsGivenBackByClientsThatAreGone) {
  ServerOptions patient = options();
  patient.room_timeout_ms = 3'600'000;
  start(patient);
  auto slow = ask(16 * kMiB);
  auto in_line = ask(16 * kMiB);
  slow->reset();
  in_line->reset();
  EXPECT_EQ(answer_to("/", 8 * kMiB).status, 200);
}

TEST_F(ServerRoom, IsTakenFromThoseWhoReadSlowly) {
  ServerOptions quick = options();
  quick.room_timeout_ms = 50;
  quick.write_timeout_ms = 3'600'000;
  quick.linger_timeout_ms = 50;  // for the sake of quick sweeps
  start(quick);
  const auto slow = ask(16 * kMiB);
  while (answer_to("/", 8 * kMiB).status != 200) continue;
}

// Large answers take their time; /small ones note how many of them were made before.
class SlowHandler final : public Handler {
 public:
  void handle(Exchange& exchange) override {
    if (exchange.request().path == "/small") {
      made_before_small = made.load();
    } else {
      go.wait();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ++made;
    }
    echo(exchange);
  }
  std::size_t answer_bytes_max(const Request& request) const noexcept override {
    return request.path == "/small" ? 0 : kMiB;
  }

  std::latch go{1};
  std::atomic<int> made = 0;
  std::atomic<int> made_before_small = 0;
};

TEST(ServerTurns, GiveSmallRequestsTheirsBetweenLargeOnes) {
  constexpr int kLarge = 20;
  SlowHandler handler;
  ServerOptions options = test_options();
  options.threads = 1;
  auto server = Server::start(options, handler);
  ASSERT_TRUE(server);
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < kLarge; ++i) {
    clients.push_back(std::make_unique<TestClient>((*server)->port()));
    ASSERT_TRUE(clients.back()->send(post("/large", "x")));
  }
  TestClient small((*server)->port());
  ASSERT_TRUE(small.send(post("/small", "x")));
  handler.go.count_down();
  EXPECT_EQ(small.receive().status, 200);
  for (const auto& client : clients) EXPECT_EQ(client->receive().status, 200);
  EXPECT_LT(handler.made_before_small.load(), kLarge / 2);
}

TEST(ServerStop, DoesNotWaitForAHandlerThatDoesNotReturn) {
  std::latch arrived(1);
  std::latch leave(1);
  ServerOptions options = test_options();
  options.stop_timeout_ms = options.stop_grace_ms = 20;
  TestServer server(
      [&](Exchange& exchange) {
        arrived.count_down();
        leave.wait();
        echo(exchange);
      },
      options);
  TestClient client(server.port());
  ASSERT_TRUE(client.send(post("/", "x")));
  arrived.wait();
  EXPECT_FALSE(server.server->stop());
  leave.count_down();
  while (!server.server->stop()) continue;
}

}  // namespace
}  // namespace stator::net
