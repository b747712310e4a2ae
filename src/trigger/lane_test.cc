#include "trigger/lane.h"

#include <gtest/gtest.h>

#include <thread>

namespace stator::trigger {
namespace {

using std::chrono::milliseconds;

Record record(const std::string& number, std::size_t bytes = 1) {
  return {.sequence_number = number, .text = std::string(bytes, 'x')};
}

std::string numbers(const std::vector<Record>& batch) {
  std::string text;
  for (const Record& one : batch) text += one.sequence_number;
  return text;
}

TEST(Lane, GivesOutWhatIsThereInOrder) {
  Lane lane({.records_max = 3});
  for (const char* number : {"1", "2", "3", "4"}) EXPECT_TRUE(lane.put(record(number)));
  EXPECT_EQ("123", numbers(lane.take()));
  EXPECT_EQ("4", numbers(lane.take()));
}

TEST(Lane, WaitsForABatchToFill) {
  Lane lane({.records_max = 3, .window = milliseconds(3'600'000)});
  std::thread writer([&] {
    for (const char* number : {"1", "2", "3"}) lane.put(record(number));
  });
  EXPECT_EQ("123", numbers(lane.take()));
  writer.join();
}

TEST(Lane, DoesNotWaitLongerThanTheWindow) {
  Lane lane({.records_max = 3, .window = milliseconds(20)});
  lane.put(record("1"));
  EXPECT_EQ("1", numbers(lane.take()));
}

TEST(Lane, GivesOutTheRestWhenClosed) {
  Lane lane({.records_max = 3, .window = milliseconds(3'600'000)});
  lane.put(record("1"));
  lane.close();
  EXPECT_EQ("1", numbers(lane.take()));
  EXPECT_EQ("", numbers(lane.take()));
}

TEST(Lane, KeepsEventsWithinTheirSize) {
  Lane lane({.records_max = 10, .bytes_max = 100});
  for (const std::size_t bytes : {49u, 49u, 49u, 10u}) lane.put(record("x", bytes));
  EXPECT_EQ(2u, lane.take().size());
  EXPECT_EQ(2u, lane.take().size());
  lane.put(record("large", 500));
  EXPECT_EQ("large", numbers(lane.take()));
}

TEST(Lane, MakesTheWriterWaitWhileItIsFull) {
  Lane lane({.records_max = 1});
  std::thread writer([&] {
    for (const char* number : {"1", "2", "3", "4", "5"}) lane.put(record(number));
    lane.close();
  });
  std::string all;
  for (std::vector<Record> batch = lane.take(); !batch.empty(); batch = lane.take()) all += numbers(batch);
  writer.join();
  EXPECT_EQ("12345", all);
}

TEST(Lane, LetsEverybodyGoWhenAbandoned) {
  Lane lane({.records_max = 1, .window = milliseconds(3'600'000)});
  lane.put(record("1"));
  lane.put(record("2"));
  std::thread writer([&] { EXPECT_FALSE(lane.put(record("3"))); });
  lane.abandon();
  writer.join();
  EXPECT_TRUE(lane.take().empty());
}

}  // namespace
}  // namespace stator::trigger
