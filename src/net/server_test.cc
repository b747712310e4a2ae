#include "net/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>

#include "net/gzip.h"
#include "net/test_client.h"
#include "net/test_server.h"

namespace stator::net {
namespace {

TEST(Server, AnswersManyRequestsOnOneConnection) {
  TestServer server(echo);
  TestClient client(server.port());
  std::string previous_id;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(client.send(post("/p", std::to_string(i))));
    const Answer answer = client.receive();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "POST /p " + std::to_string(i));
    EXPECT_EQ(answer.header("x-amz-crc32"), std::to_string(crc32(answer.body)));
    EXPECT_EQ(answer.header("Content-Type"), "text/plain");
    EXPECT_EQ(answer.header("Date").size(), 29U);
    EXPECT_EQ(answer.header("x-amzn-RequestId").size(), 52U);
    EXPECT_NE(answer.header("x-amzn-RequestId"), previous_id);
    previous_id = answer.header("x-amzn-RequestId");
  }
}

TEST(Server, AnswersPipelinedRequestsInOrder) {
  TestServer server(echo);
  TestClient client(server.port());
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += post("/", std::to_string(i));
  ASSERT_TRUE(client.send(requests));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client.receive().body, "POST / " + std::to_string(i));
}

TEST(Server, AnswersPipelinedRequestsInOrderThoughTheyWait) {
  std::atomic<int> under_way = 0;
  std::vector<std::thread> workers(100);
  std::atomic<std::size_t> next_worker = 0;
  auto handle = [&](Exchange& exchange) {
    EXPECT_EQ(under_way.fetch_add(1), 0) << "one after the other";
    [](std::thread& worker, std::atomic<int>& count, Exchange& waiting) -> base::Detached {
      co_await OnOtherThread{worker};
      count.fetch_sub(1);
      echo(waiting);
    }(workers[next_worker++], under_way, exchange);
  };
  TestServer server(handle);
  TestClient client(server.port());
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += post("/", std::to_string(i));
  ASSERT_TRUE(client.send(requests));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client.receive().body, "POST / " + std::to_string(i));
  for (std::thread& worker : workers) worker.join();
}

TEST(Server, ServesManyClientsAtOnce) {
  TestServer server(echo);
  std::vector<std::future<int>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::async(std::launch::async, [&] {
      TestClient client(server.port());
      int right = 0;
      for (int j = 0; j < 200; ++j) {
        client.send(post("/", std::to_string(j)));
        right += client.receive().body == "POST / " + std::to_string(j) ? 1 : 0;
      }
      return right;
    }));
  }
  for (auto& client : clients) EXPECT_EQ(client.get(), 200);
}

TEST(Server, TakesRequestsByteByByte) {
  TestServer server(echo);
  TestClient client(server.port());
  const std::string request = post("/slow", "body");
  for (const char byte : request) ASSERT_TRUE(client.send({&byte, 1}));
  EXPECT_EQ(client.receive().body, "POST /slow body");
}

TEST(Server, TakesChunkedBodies) {
  TestServer server(echo);
  TestClient client(server.port());
  const std::string chunked =
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  ASSERT_TRUE(client.send(chunked + post("/next", "x")));
  EXPECT_EQ(client.receive().body, "POST / abcde");
  EXPECT_EQ(client.receive().body, "POST /next x");
}

TEST(Server, MovesLargeBodiesBothWays) {
  TestServer server(echo);
  TestClient client(server.port());
  std::string body(8 * 1024 * 1024, ' ');
  for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>('a' + i * i % 26);
  std::thread sender([&] {
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(client.send(post("/", body)));
  });
  for (int i = 0; i < 2; ++i) {
    const Answer answer = client.receive();
    EXPECT_TRUE(answer.body == "POST / " + body);
    EXPECT_EQ(answer.header("x-amz-crc32"), std::to_string(crc32(answer.body)));
  }
  sender.join();
}

TEST(Server, PutsReadableBytesBehindTheBody) {
  TestServer server([](Exchange& exchange) {
    const std::string_view body = exchange.request().body;
    unsigned sum = 0;  // the address sanitizer watches
    for (std::size_t i = 0; i < Request::kBodyPadding; ++i) {
      sum += static_cast<unsigned char>(body.data()[body.size() + i]);
    }
    exchange.body().append(sum == 12345 ? "a" : "b");
    exchange.finish(200, {});
  });
  TestClient client(server.port());
  for (const std::size_t size : {0, 1, 4000, 16000, 16384, 40000, 1 << 20}) {
    ASSERT_TRUE(client.send(post("/", std::string(size, 'x'))));
    EXPECT_EQ(client.receive().status, 200);
  }
}

TEST(Server, SendsNoBodyToHead) {
  TestServer server(echo);
  TestClient client(server.port());
  ASSERT_TRUE(client.send("HEAD /x HTTP/1.1\r\nHost: h\r\n\r\n" + post("/y", "z")));
  EXPECT_EQ(client.receive(true).header("Content-Length"), "8");
  EXPECT_EQ(client.receive().body, "POST /y z");
}

TEST(Server, ClosesWhenTheClientWantsIt) {
  TestServer server(echo);
  for (const char* request :
       {"GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"}) {
    TestClient client(server.port());
    ASSERT_TRUE(client.send(request));
    const Answer answer = client.receive();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.header("Connection"), "close");
    EXPECT_TRUE(client.at_end());
  }
}

TEST(Server, DeliversTheLastAnswerThoughTheClientSendsOn) {
  TestServer server(echo);
  for (int i = 0; i < 20; ++i) {
    TestClient client(server.port());
    ASSERT_TRUE(client.send("GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" +
                            std::string(100'000, 'x')));
    EXPECT_EQ(client.receive().body, "GET /last ");
    EXPECT_TRUE(client.at_end());
  }
}

TEST(Server, KeepsHttp10ConnectionOnRequest) {
  TestServer server(echo);
  TestClient client(server.port());
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
    EXPECT_EQ(client.receive().header("Connection"), "keep-alive");
  }
}

TEST(Server, AnswersAClientThatHasSentItsEnd) {
  Gate gate;
  TestServer server([&](Exchange& exchange) { echo_behind(gate, exchange); });
  TestClient client(server.port());
  ASSERT_TRUE(client.send(post("/", "x")));
  client.send_end();
  gate.await_arrivals(1);
  gate.open();
  EXPECT_EQ(client.receive().body, "POST / x");
  EXPECT_TRUE(client.at_end());
}

TEST(Server, AnswersRequestsThatComeTogetherWithTheEnd) {
  TestServer server(echo);
  for (int i = 0; i < 20; ++i) {
    TestClient client(server.port());
    ASSERT_TRUE(client.send(post("/", "x") + post("/", "y") + "POST"));
    client.send_end();
    EXPECT_EQ(client.receive().body, "POST / x");
    EXPECT_EQ(client.receive().body, "POST / y");
    EXPECT_TRUE(client.at_end());
  }
}

TEST(Server, SendsContinueBeforeTheBodyComes) {
  TestServer server(echo);
  TestClient client(server.port());
  ASSERT_TRUE(client.send(
      "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"));
  EXPECT_EQ(client.receive().status, 100);
  ASSERT_TRUE(client.send("abc"));
  EXPECT_EQ(client.receive().body, "POST / abc");
}

TEST(Server, RefusesTooLargeBodyInsteadOfContinue) {
  TestServer server(echo);
  TestClient client(server.port());
  ASSERT_TRUE(
      client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                  "Content-Length: 99999999\r\n\r\n"));
  EXPECT_EQ(client.receive().status, 413);
  EXPECT_TRUE(client.at_end());
}

TEST(Server, RefusesAndCloses) {
  ServerOptions options = test_options();
  options.request_bytes_max = 1000;
  options.header_bytes_max = 1000;
  TestServer server(echo, options);
  const std::pair<std::string, int> cases[] = {
      {post("/", std::string(1001, 'x')), 413},
      {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n999999\r\nabc", 413},
      {"GET / HTTP/1.1\r\nA: " + std::string(5000, 'x'), 400},
      {"nonsense\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/3.0\r\nHost: h\r\n\r\n", 505},
      {post("/", "not gzip", "Content-Encoding: gzip\r\n"), 500},
      {post("/", "", "Content-Encoding: gzip\r\n"), 500},
      {post("/", "", "Content-Encoding: br\r\n"), 500},
  };
  for (const auto& [request, status] : cases) {
    TestClient client(server.port());
    ASSERT_TRUE(client.send(post("/", "fine") + request));
    EXPECT_EQ(client.receive().body, "POST / fine");
    const Answer answer = client.receive();
    EXPECT_EQ(answer.status, status) << request;
    EXPECT_EQ(answer.header("Connection"), "close");
    EXPECT_TRUE(client.at_end());
  }
}

TEST(Server, LetsARefusedClientFinishSending) {
  TestServer server(echo);
  TestClient client(server.port());
  // More than the sockets hold, so that the refusal comes while the client still sends.
  ASSERT_TRUE(client.send(post("/", std::string(20 * 1024 * 1024, 'x'))));
  EXPECT_EQ(client.receive().status, 413);
}

TEST(Server, UnzipsRequests) {
  TestServer server(echo);
  TestClient client(server.port());
  const std::string text(50'000, 'q');
  Gzip codec;
  base::Buffer zipped;
  ASSERT_TRUE(codec.compress(ContentEncoding::gzip, text, zipped));
  ASSERT_TRUE(
      client.send(post("/", zipped.view(), "Content-Encoding: gzip\r\n") + post("/b", "c")));
  EXPECT_EQ(client.receive().body, "POST / " + text);
  EXPECT_EQ(client.receive().body, "POST /b c");
}

TEST(Server, RefusesZipBombs) {
  ServerOptions options = test_options();
  options.request_bytes_max = 100'000;
  TestServer server(echo, options);
  Gzip codec;
  base::Buffer zipped;
  ASSERT_TRUE(codec.compress(ContentEncoding::gzip, std::string(100'001, '0'), zipped));
  TestClient client(server.port());
  ASSERT_TRUE(client.send(post("/", zipped.view(), "Content-Encoding: gzip\r\n")));
  EXPECT_EQ(client.receive().status, 413);
}

TEST(Server, ZipsLargeAnswersForThoseWhoAccept) {
  TestServer server(echo);
  TestClient client(server.port());
  const std::string text(50'000, 'q');
  ASSERT_TRUE(client.send(post("/", text, "Accept-Encoding: gzip, deflate\r\n")));
  const Answer zipped = client.receive();
  EXPECT_EQ(zipped.header("Content-Encoding"), "gzip");
  EXPECT_EQ(zipped.header("x-amz-crc32"), std::to_string(crc32(zipped.body)));
  Gzip codec;
  base::Buffer unzipped;
  ASSERT_EQ(codec.inflate(ContentEncoding::gzip, zipped.body, unzipped, 100'000, 0),
            Gzip::Inflated::done);
  EXPECT_EQ(unzipped.view(), "POST / " + text);
  for (const std::string& request : {post("/", "small", "Accept-Encoding: gzip\r\n"),
                                     post("/", text, "Accept-Encoding: br\r\n")}) {
    ASSERT_TRUE(client.send(request));
    EXPECT_EQ(client.receive().header("Content-Encoding"), "");
  }
}

TEST(Server, AnswersPreflightsItself) {
  TestServer server([](Exchange&) { ADD_FAILURE() << "the handler was asked"; });
  TestClient client(server.port());
  ASSERT_TRUE(client.send(
      "OPTIONS / HTTP/1.1\r\nHost: h\r\nOrigin: http://o\r\nAccess-Control-Request-Method: POST\r\n"
      "Access-Control-Request-Headers: x-amz-target,x-amz-date\r\n\r\n"));
  const Answer answer = client.receive();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header("Access-Control-Allow-Origin"), "*");
  EXPECT_EQ(answer.header("Access-Control-Allow-Methods"), "POST");
  EXPECT_EQ(answer.header("Access-Control-Allow-Headers"), "x-amz-target,x-amz-date");
  EXPECT_EQ(answer.header("Access-Control-Max-Age"), "172800");
  EXPECT_EQ(answer.header("Content-Length"), "0");
}

TEST(Server, LetsOtherOriginsReadAnswers) {
  TestServer server(echo);
  TestClient client(server.port());
  ASSERT_TRUE(client.send(post("/", "x", "Origin: http://o\r\n") + post("/", "x")));
  const Answer answer = client.receive();
  EXPECT_EQ(answer.header("Access-Control-Allow-Origin"), "*");
  EXPECT_NE(answer.header("Access-Control-Expose-Headers").find("x-amzn-requestid"),
            std::string::npos);
  EXPECT_EQ(client.receive().header("Access-Control-Allow-Origin"), "");
}

TEST(Server, SendsExtraHeadersOnceAndWithoutLineBreaks) {
  std::atomic<int> count = 0;
  TestServer server([&](Exchange& exchange) {
    if (count++ == 0) exchange.add_header("X-Extra", "a\r\nb");
    exchange.finish(418, {});
  });
  TestClient client(server.port());
  ASSERT_TRUE(client.send(post("/", "") + post("/", "")));
  EXPECT_EQ(client.receive().header("X-Extra"), "ab");
  EXPECT_EQ(client.receive().header("X-Extra"), "");
}

TEST(Server, TurnsExceptionsIntoAnswers) {
  TestServer server([](Exchange& exchange) {
    exchange.body().append("half");
    if (exchange.request().body == "odd") throw 7;
    throw std::runtime_error("broken");
  });
  TestClient client(server.port());
  ASSERT_TRUE(client.send(post("/", "") + post("/", "odd")));
  for (int i = 0; i < 2; ++i) {
    const Answer answer = client.receive();
    EXPECT_EQ(answer.status, 500);
    EXPECT_NE(answer.body.find("InternalServerError"), std::string::npos);
    EXPECT_EQ(answer.body.find("half"), std::string::npos);
  }
}

}  // namespace
}  // namespace stator::net
