#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "base/temporary_directory.h"
#include "trigger/handler.h"

namespace stator::trigger {
namespace {

class ProgramHandlerTest : public testing::Test {
 protected:
  ProgramHandlerTest() { signal(SIGPIPE, SIG_IGN); }
  static Outcome run(const std::string& command, const std::string& event, std::int64_t timeout_ms = 60'000) {
    ProgramOptions options;
    options.command = command;
    options.timeout_ms = timeout_ms;
    options.read_response = true;
    options.environment = {"STATOR_TEST_VALUE=from the trigger"};
    return make_program_handler(options)->invoke(event);
  }
};

TEST_F(ProgramHandlerTest, GivesTheEventAndTakesTheResponse) {
  const std::string event(3'000'000, 'x');  // more than a pipe holds, in both directions
  const Outcome outcome = run("cat", event);
  EXPECT_EQ(Outcome::Kind::success, outcome.kind) << outcome.message;
  EXPECT_EQ(event, outcome.response);
}

TEST_F(ProgramHandlerTest, PassesVariables) {
  EXPECT_EQ("from the trigger\n", run("echo $STATOR_TEST_VALUE", "").response);
}

TEST_F(ProgramHandlerTest, TakesExitCodesForWhatTheyAre) {
  EXPECT_EQ(Outcome::Kind::success, run("exit 0", "{}").kind);
  const Outcome failed = run("cat > /dev/null; exit 3", "{}");
  EXPECT_EQ(Outcome::Kind::failed, failed.kind);
  EXPECT_EQ("the program ended with exit code 3", failed.message);
  EXPECT_EQ("the program was ended by signal 9 (Killed)", run("kill -9 $$", "{}").message);
  EXPECT_EQ("the program ended with exit code 127; is its path right?",
            run("/nonexistent/program 2> /dev/null", "{}").message);
}

TEST_F(ProgramHandlerTest, DoesNotMindAProgramThatDoesNotRead) {
  EXPECT_EQ(Outcome::Kind::success, run("exec 0<&-; exit 0", std::string(3'000'000, 'x')).kind);
}

TEST_F(ProgramHandlerTest, EndsWhatTakesTooLongWithAllItStarted) {
  const base::TemporaryDirectory folder;
  const std::string pid_file = folder.path() / "pid";
  pid_t sleeper = 0;
  for (std::int64_t timeout_ms = 300; sleeper == 0; timeout_ms *= 2) {  // a busy machine may need longer to start anything
    ASSERT_LT(timeout_ms, 60'000);
    const Outcome outcome = run("sleep 1000 & echo $! > " + pid_file + "; wait", "{}", timeout_ms);
    EXPECT_EQ(Outcome::Kind::failed, outcome.kind);
    EXPECT_EQ(fmt::format("the program took longer than {} s", timeout_ms / 1000.0), outcome.message);
    std::ifstream(pid_file) >> sleeper;
  }
  // Orphans are reaped by init in its own time: until then they are zombies.
  std::string state;
  for (int i = 0; i < 1000 && kill(sleeper, 0) == 0 && state != "Z"; ++i) {
    std::ifstream stat("/proc/" + std::to_string(sleeper) + "/stat");
    std::string skipped;
    stat >> skipped >> skipped >> state;
    usleep(10'000);
  }
  EXPECT_TRUE(kill(sleeper, 0) != 0 || state == "Z") << state;
}

TEST_F(ProgramHandlerTest, DoesNotWaitForWhatLivesOn) {
  const Outcome outcome = run("sleep 5 & echo started", "{}", 60'000);
  EXPECT_EQ(Outcome::Kind::success, outcome.kind);
  EXPECT_EQ("started\n", outcome.response);
}

}  // namespace
}  // namespace stator::trigger
