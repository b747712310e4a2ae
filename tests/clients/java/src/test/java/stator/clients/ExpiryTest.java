package stator.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Time to live: what the server deletes by itself, and how the stream tells so. */
class ExpiryTest {
  /** Expiry comes in the background, at the server's own pace. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static DynamoDbTable<Event> table;

  @BeforeAll
  static void create() {
    table = Clients.streamed(StreamViewType.NEW_AND_OLD_IMAGES);
    enable();
  }

  private static void enable() {
    Clients.LOW_LEVEL.updateTimeToLive(
        r ->
            r.tableName(table.tableName())
                .timeToLiveSpecification(s -> s.enabled(true).attributeName("expires")));
  }

  @AfterAll
  static void drop() {
    table.deleteTable();
  }

  private static Event event(String source, long secondsFromNow) {
    Event event = Event.of(source, 1, "x");
    event.setExpires(Instant.now().getEpochSecond() + secondsFromNow);
    return event;
  }

  private static Event load(String source) {
    Key key = Key.builder().partitionValue(source).sortValue(1).build();
    return table.getItem(r -> r.key(key).consistentRead(true));
  }

  @Test
  void theSettingIsDescribedAndNotMadeTwice() {
    TimeToLiveDescription description =
        Clients.LOW_LEVEL.describeTimeToLive(r -> r.tableName(table.tableName())).timeToLiveDescription();
    assertEquals(TimeToLiveStatus.ENABLED, description.timeToLiveStatus());
    assertEquals("expires", description.attributeName());
    DynamoDbException refused = assertThrows(DynamoDbException.class, ExpiryTest::enable);
    assertEquals("TimeToLive is already enabled", refused.awsErrorDetails().errorMessage());
  }

  @Test
  void whatHasExpiredGoesAndTheRestStays() {
    table.putItem(event("past", -30));
    table.putItem(event("soon", 2));
    table.putItem(event("later", 3600));
    table.putItem(Event.of("never", 1, "x"));
    Clients.eventually(LIMIT, () -> assertNull(load("past")));
    Clients.eventually(LIMIT, () -> assertNull(load("soon")));
    assertNotNull(load("later"));
    assertNotNull(load("never"));
  }

  @Test
  void theStreamNamesTheServiceAsTheAuthor() {
    StreamReader reader = new StreamReader(StreamReader.streamOf(table.tableName()));
    Event expired = event("streamed", -30);
    table.putItem(expired);
    List<Record> records = new ArrayList<>();
    Clients.eventually(
        LIMIT,
        () -> {
          reader.more().stream()
              .filter(record -> record.dynamodb().keys().get("source").s().equals("streamed"))
              .forEach(records::add);
          assertEquals(2, records.size());
        });
    assertNull(records.get(0).userIdentity());
    Record removed = records.get(1);
    assertEquals(OperationType.REMOVE, removed.eventName());
    assertEquals("Service", removed.userIdentity().type());
    assertEquals("dynamodb.amazonaws.com", removed.userIdentity().principalId());
    assertEquals(expired.getExpires().toString(), removed.dynamodb().oldImage().get("expires").n());
  }
}
