// What happens to clients that are slow, greedy or gone, and to those that are there when the
// server stops.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "net/server.h"
#include "net/test_client.h"
#include "net/test_server.h"

namespace stator::net {
namespace {

// A short time-out where the test waits for it, long ones elsewhere.
ServerOptions with(std::uint32_t ServerOptions::*timeout, std::uint32_t timeout_ms) {
  ServerOptions options = test_options();
  options.*timeout = timeout_ms;
  return options;
}

TEST(ServerTimeouts, EndSlowHeaders) {
  TestServer server(echo, with(&ServerOptions::header_timeout_ms, 50));
  TestClient client(server.port());
  ASSERT_TRUE(client.send("GET / HTTP/1.1\r\nHost"));
  EXPECT_EQ(client.receive().status, 408);
  EXPECT_TRUE(client.at_end());
}

TEST(ServerTimeouts, EndHeadersThatTrickle) {
  ServerOptions options = with(&ServerOptions::header_timeout_ms, 50);
  options.linger_timeout_ms = 50;
  TestServer server(echo, options);
  TestClient client(server.port());
  std::string trickle = "GET / HTTP/1.1\r\n";
  // Steady progress does not help. The loop ends when the server has closed.
  while (client.send(trickle)) {
    trickle = "A: b\r\n";
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST(ServerTimeouts, EndSlowBodies) {
  TestServer server(echo, with(&ServerOptions::body_timeout_ms, 50));
  TestClient client(server.port());
  ASSERT_TRUE(client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc"));
  EXPECT_EQ(client.receive().status, 408);
  EXPECT_TRUE(client.at_end());
}

TEST(ServerTimeouts, EndIdleConnections) {
  TestServer server(echo, with(&ServerOptions::idle_timeout_ms, 50));
  TestClient silent(server.port());
  EXPECT_TRUE(silent.at_end());
  int status = 0;  // 0: on a busy machine a connection may be idle for too long before its request comes
  for (int i = 0; i < 1000 && status == 0; ++i) {
    TestClient client(server.port());
    client.send(post("/", "x"));
    status = client.receive().status;
    EXPECT_TRUE(client.at_end());
  }
  EXPECT_EQ(status, 200);
}

TEST(ServerTimeouts, EndClientsThatDoNotRead) {
  std::atomic<int> handled = 0;
  TestServer server(
      [&](Exchange& exchange) {
        ++handled;
        exchange.body().append(std::string(8 * 1024 * 1024, 'x'));
        exchange.finish(200, {});
      },
      with(&ServerOptions::write_timeout_ms, 50));
  TestClient client(server.port(), 4096);
  const std::string request = post("/", "");
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(client.send(request));
  // Sending fails once the server has given up; an answer that is not taken holds back the next
  // request.
  while (client.send(request)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_LT(handled.load(), 5);
}

TEST(ServerTimeouts, DoNotApplyToTheHandler) {
  Gate gate;
  ServerOptions options = test_options();
  options.header_timeout_ms = options.body_timeout_ms = options.idle_timeout_ms = 20;
  std::atomic<int> arrived = 0;
  TestServer server(
      [&](Exchange& exchange) {
        ++arrived;
        echo_behind(gate, exchange);
      },
      options);
  std::deque<TestClient> clients;  // more than one where the first was idle for too long before its request came
  for (int i = 0; i < 1000 && arrived == 0; ++i) {
    clients.emplace_back(server.port());
    clients.back().send(post("/", "x"));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  // Long enough for several sweeps; were the time-outs to apply, the answer would be missing.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  gate.open();
  int answered = 0;
  for (TestClient& client : clients) answered += client.receive().body == "POST / x" ? 1 : 0;
  EXPECT_GT(answered, 0);
  EXPECT_EQ(answered, arrived);
}

TEST(ServerLimits, RefuseFurtherConnectionsWhereAllAreBusy) {
  Gate gate;
  ServerOptions options = test_options();
  options.connections_max = 2;
  options.room_timeout_ms = 50;
  TestServer server(
      [&](Exchange& exchange) {
        if (exchange.request().path == "/") return echo(exchange);
        echo_behind(gate, exchange);
      },
      options);
  TestClient first(server.port());
  TestClient second(server.port());
  ASSERT_TRUE(first.send(post("/busy", "x")));
  ASSERT_TRUE(second.send(post("/busy", "x")));
  gate.await_arrivals(2);
  {
    TestClient third(server.port());
    ASSERT_TRUE(third.send(post("/", "x")));
    EXPECT_EQ(third.receive().status, 503);
    EXPECT_TRUE(third.at_end());
  }
  gate.open();
  EXPECT_EQ(first.receive().status, 200);
  EXPECT_EQ(second.receive().status, 200);
  for (;;) {  // until one of them is seen to be idle
    TestClient again(server.port());
    ASSERT_TRUE(again.send(post("/", "x")));
    if (again.receive().status == 200) break;
  }
}

TEST(ServerLimits, AreKeptByClosingTheLongestIdle) {
  ServerOptions options = test_options();
  options.connections_max = 3;
  options.address_connections_max = 3;
  options.room_timeout_ms = 3'600'000;
  options.threads = 1;
  TestServer server(echo, options);
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<TestClient>(server.port()));
    ASSERT_TRUE(clients.back()->send(post("/", "x")));
    EXPECT_EQ(clients.back()->receive().status, 200);
    // The clock of the reactor is coarse: without this, all would have been idle for as long.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  for (int i = 0; i < 7; ++i) EXPECT_TRUE(clients[static_cast<std::size_t>(i)]->at_end()) << i;
  for (std::size_t i = 7; i < 10; ++i) {
    ASSERT_TRUE(clients[i]->send(post("/", "y")));
    EXPECT_EQ(clients[i]->receive().status, 200) << i;
  }
}

TEST(ServerLimits, AreKeptByClosingOnAnotherReactor) {
  ServerOptions options = test_options();
  options.connections_max = 1;
  options.room_timeout_ms = 3'600'000;
  options.threads = 4;
  TestServer server(echo, options);
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(std::make_unique<TestClient>(server.port()));
    ASSERT_TRUE(clients.back()->send(post("/", "x")));
    EXPECT_EQ(clients.back()->receive().status, 200);
  }
}

TEST(ServerLimits, BoundTheMemoryOfAllRequestsTogether) {
  Gate gate;
  ServerOptions options = test_options();
  options.threads = 1;
  options.input_bytes_max = 5 * 1024 * 1024;
  TestServer server(
      [&](Exchange& exchange) {
        if (exchange.request().body.size() < 10) return echo(exchange);
        echo_behind(gate, exchange);
      },
      options);
  const std::string large = post("/", std::string(3 * 1024 * 1024, 'x'));
  TestClient holding(server.port());
  ASSERT_TRUE(holding.send(large));
  gate.await_arrivals(1);
  {
    TestClient refused(server.port());
    ASSERT_TRUE(refused.send(large));
    EXPECT_EQ(refused.receive().status, 503);
  }
  TestClient small(server.port());
  ASSERT_TRUE(small.send(post("/", "x")));
  EXPECT_EQ(small.receive().status, 200);
  gate.open();
  EXPECT_EQ(holding.receive().status, 200);
  TestClient again(server.port());
  ASSERT_TRUE(again.send(large));
  EXPECT_EQ(again.receive().status, 200);
}

TEST(ServerLimits, OutliveAShortageOfFileDescriptors) {
  TestServer server(echo, with(&ServerOptions::idle_timeout_ms, 2000));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  TestClient client(server.port());
  ASSERT_TRUE(client.send(post("/", "x")));
  EXPECT_EQ(client.receive().status, 200);
  // The client's end of the next connection takes the last descriptor, the server's finds none.
  const int next = ::dup(0);
  ::close(next);
  const rlimit few{.rlim_cur = static_cast<rlim_t>(next) + 1, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  TestClient waiting(server.port());
  EXPECT_TRUE(waiting.send(post("/", "late")));
  ASSERT_TRUE(client.send(post("/", "y")));
  EXPECT_EQ(client.receive().body, "POST / y");
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(waiting.receive().body, "POST / late");
}

TEST(ServerDisconnects, LeaveAPendingExchangeValid) {
  Gate gate;
  TestServer server([&](Exchange& exchange) { echo_behind(gate, exchange); });
  constexpr int kClients = 10;
  for (int i = 0; i < kClients; ++i) {
    TestClient client(server.port());
    ASSERT_TRUE(client.send(post("/", "x") + post("/", "y")));
    gate.await_arrivals(static_cast<std::size_t>(i) + 1);
    if (i % 2 == 0) client.reset();
  }
  gate.open();
  // The address sanitizer watches. Another client shows that both reactors are alive.
  for (int i = 0; i < kClients; ++i) {
    TestClient client(server.port());
    ASSERT_TRUE(client.send("GET"));
  }
}

TEST(ServerDisconnects, EndRequestsUnderWay) {
  TestServer server(echo);
  for (int i = 0; i < 50; ++i) {
    TestClient client(server.port());
    ASSERT_TRUE(client.send(std::string_view("POST / HTTP/1.1\r\nContent-Length: 9")
                                .substr(0, static_cast<std::size_t>(i % 35))));
    if (i % 3 == 0) client.reset();
  }
  TestClient client(server.port());
  ASSERT_TRUE(client.send(post("/", "x")));
  EXPECT_EQ(client.receive().status, 200);
}

TEST(ServerStop, WaitsForExchangesUnderWay) {
  Gate gate;
  ServerOptions options = test_options();
  options.threads = 1;  // so that the end of the idle connection says that all know of the stop
  TestServer server([&](Exchange& exchange) { echo_behind(gate, exchange); }, options);
  TestClient idle(server.port());
  TestClient busy(server.port());
  ASSERT_TRUE(busy.send(post("/", "x")));
  gate.await_arrivals(1);
  std::thread stopping([&] { EXPECT_TRUE(server.server->stop()); });
  EXPECT_TRUE(idle.at_end());
  gate.open();
  const Answer answer = busy.receive();
  EXPECT_EQ(answer.body, "POST / x");
  EXPECT_EQ(answer.header("Connection"), "close");
  EXPECT_TRUE(busy.at_end());
  stopping.join();
  EXPECT_FALSE(TestClient(server.port()).connected());
}

TEST(ServerStop, GivesUpOnExchangesThatNeverFinish) {
  Exchange* kept = nullptr;
  std::atomic<bool> arrived = false;
  TestServer server(
      [&](Exchange& exchange) {
        kept = &exchange;
        arrived = true;
        arrived.notify_all();
      },
      with(&ServerOptions::stop_timeout_ms, 20));
  TestClient client(server.port());
  ASSERT_TRUE(client.send(post("/", "x")));
  arrived.wait(false);
  EXPECT_TRUE(server.server->stop());
  EXPECT_TRUE(client.at_end());
  EXPECT_EQ(kept->request().body, "x");  // until the server is destroyed
}

TEST(ServerStop, IsSafeUnderLoad) {
  auto server = std::make_unique<TestServer>(echo);
  const std::uint16_t port = server->port();
  std::atomic<int> answered = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] {
      TestClient client(port);
      while (client.send(post("/", "x") + post("/", "y")) && client.receive().status == 200) {
        if (answered.fetch_add(1) == 100) answered.notify_all();
        if (client.receive().status != 200) break;
      }
    });
  }
  for (int seen = answered; seen < 100; seen = answered) std::this_thread::yield();
  server.reset();
  for (std::thread& client : clients) client.join();
}

TEST(ServerStart, SaysThatThePortIsTaken) {
  TestServer server(echo);
  ServerOptions options = test_options();
  options.port = server.port();
  FunctionHandler handler(echo);
  const auto second = Server::start(options, handler);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message,
            "port " + std::to_string(options.port) +
                " on 127.0.0.1 is in use by another program; choose another "
                "with --port");
}

TEST(ServerStart, SaysThatTheHostIsWrong) {
  FunctionHandler handler(echo);
  ServerOptions options = test_options();
  options.host = "192.0.2.1";
  const auto foreign = Server::start(options, handler);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().message, "192.0.2.1 is not an address of this machine");
  options.host = "not an address";
  const auto nonsense = Server::start(options, handler);
  ASSERT_FALSE(nonsense);
  EXPECT_TRUE(nonsense.error().message.starts_with("'not an address' is no address to listen on"));
}

TEST(ServerStart, TakesAPortAgainAtOnce) {
  ServerOptions options = test_options();
  for (int i = 0; i < 3; ++i) {
    TestServer server(echo, options);
    options.port = server.port();
    TestClient client(server.port());
    ASSERT_TRUE(client.send("GET / HTTP/1.0\r\n\r\n"));
    EXPECT_EQ(client.receive().status,
              200);  // the server closes first, so its port is in TIME_WAIT
    EXPECT_TRUE(client.at_end());
  }
}

}  // namespace
}  // namespace stator::net
