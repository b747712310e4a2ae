package stator.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;
import software.amazon.awssdk.services.dynamodb.model.StreamStatus;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

/** Streams through the SDK's stream client. */
class StreamTest {
  private static final TableSchema<Event> SCHEMA = TableSchema.fromBean(Event.class);

  private static List<OperationType> names(List<Record> records) {
    return records.stream().map(Record::eventName).toList();
  }

  @ParameterizedTest
  @EnumSource(names = {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"})
  void eachViewShowsWhatItsNameSays(StreamViewType view) {
    DynamoDbTable<Event> table = Clients.streamed(view);
    Event first = Event.of("meter", 1, "one");
    Event second = Event.of("meter", 1, "two");
    table.putItem(first);
    table.putItem(second);
    table.putItem(second); // changes nothing: no record
    table.deleteItem(second);

    List<Record> records = new StreamReader(StreamReader.streamOf(table.tableName())).more();
    assertEquals(List.of(OperationType.INSERT, OperationType.MODIFY, OperationType.REMOVE), names(records));
    boolean showsNew = view.toString().contains("NEW");
    boolean showsOld = view.toString().contains("OLD");
    check(records.get(0), view, null, showsNew ? first : null);
    check(records.get(1), view, showsOld ? first : null, showsNew ? second : null);
    check(records.get(2), view, showsOld ? second : null, null);

    Set<String> ids = new HashSet<>();
    BigInteger last = BigInteger.ZERO;
    for (Record record : records) {
      BigInteger sequence = new BigInteger(record.dynamodb().sequenceNumber());
      assertTrue(sequence.compareTo(last) > 0);
      last = sequence;
      ids.add(record.eventID());
    }
    assertEquals(3, ids.size());
    table.deleteTable();
  }

  private static void check(Record record, StreamViewType view, Event before, Event after) {
    StreamRecord change = record.dynamodb();
    assertEquals(
        Map.of("source", AttributeValue.fromS("meter"), "number", AttributeValue.fromN("1")), change.keys());
    assertEquals(view, change.streamViewType());
    assertEquals("aws:dynamodb", record.eventSource());
    assertEquals("us-east-1", record.awsRegion());
    assertNull(record.userIdentity());
    assertEquals(before != null, change.hasOldImage());
    assertEquals(after != null, change.hasNewImage());
    if (before != null) {
      assertEquals(SCHEMA.itemToMap(before, true), change.oldImage());
    }
    if (after != null) {
      assertEquals(SCHEMA.itemToMap(after, true), change.newImage());
    }
  }

  @Test
  void aTransactionHasARecordForEachItem() {
    DynamoDbTable<Event> table = Clients.streamed(StreamViewType.NEW_AND_OLD_IMAGES);
    StreamReader reader = new StreamReader(StreamReader.streamOf(table.tableName()));
    Clients.UNVERSIONED.transactWriteItems(
        r ->
            r.addPutItem(table, Event.of("a", 1, "x"))
                .addPutItem(table, Event.of("b", 2, "y"))
                .addUpdateItem(table, Event.of("c", 3, "z")));
    List<Record> records = reader.more();
    assertEquals(List.of(OperationType.INSERT, OperationType.INSERT, OperationType.INSERT), names(records));
    Set<String> sources = new HashSet<>();
    records.forEach(record -> sources.add(record.dynamodb().keys().get("source").s()));
    assertEquals(Set.of("a", "b", "c"), sources);
    assertEquals(List.of(), reader.more());
    table.deleteTable();
  }

  @Test
  void aReaderGoesOnWhereItWas() {
    DynamoDbTable<Event> table = Clients.streamed(StreamViewType.NEW_IMAGE);
    StreamReader reader = new StreamReader(StreamReader.streamOf(table.tableName()));
    for (int number = 0; number < 50; number++) {
      table.putItem(Event.of("meter", number, "x"));
      assertEquals(
          List.of(Integer.toString(number)),
          reader.more().stream().map(record -> record.dynamodb().keys().get("number").n()).toList());
    }
    table.deleteTable();
  }

  @Test
  void aStreamEndsWhenItIsSwitchedOffAndANewOneBegins() {
    DynamoDbTable<Event> table = Clients.streamed(StreamViewType.KEYS_ONLY);
    String name = table.tableName();
    String first = StreamReader.streamOf(name);
    table.putItem(Event.of("meter", 1, "x"));
    Clients.LOW_LEVEL.updateTable(r -> r.tableName(name).streamSpecification(s -> s.streamEnabled(false)));
    Clients.active(table);
    table.putItem(Event.of("meter", 2, "x"));
    Clients.LOW_LEVEL.updateTable(
        r ->
            r.tableName(name)
                .streamSpecification(s -> s.streamEnabled(true).streamViewType(StreamViewType.NEW_IMAGE)));
    Clients.active(table);
    table.putItem(Event.of("meter", 3, "x"));

    String second = StreamReader.streamOf(name);
    assertNotEquals(first, second);
    assertEquals("1", new StreamReader(first).more().get(0).dynamodb().keys().get("number").n());
    assertEquals("3", new StreamReader(second).more().get(0).dynamodb().keys().get("number").n());
    StreamDescription ended = Clients.STREAMS.describeStream(r -> r.streamArn(first)).streamDescription();
    assertEquals(StreamStatus.DISABLED, ended.streamStatus());
    assertEquals(name, ended.tableName());
    table.deleteTable();
  }

  @Test
  void aStreamThatDoesNotExistIsResourceNotFound() {
    DynamoDbTable<Event> table = Clients.streamed(StreamViewType.KEYS_ONLY);
    String arn = StreamReader.streamOf(table.tableName()).replaceFirst("stream/.*", "stream/2020-01-01T00:00:00.000");
    assertThrows(ResourceNotFoundException.class, () -> Clients.STREAMS.describeStream(r -> r.streamArn(arn)));
    table.deleteTable();
  }
}
