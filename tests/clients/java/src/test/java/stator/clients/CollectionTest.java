package stator.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.keyEqualTo;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBeginsWith;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBetween;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortGreaterThan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.pagination.sync.SdkIterable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.BatchGetItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.BatchWriteItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.BatchWriteResult;
import software.amazon.awssdk.enhanced.dynamodb.model.Page;
import software.amazon.awssdk.enhanced.dynamodb.model.ReadBatch;
import software.amazon.awssdk.enhanced.dynamodb.model.WriteBatch;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Queries, indexes, scans, pages and batches through the enhanced client. */
class CollectionTest {
  private static final int ORDERS = 60;
  private static DynamoDbTable<Order> table;

  @BeforeAll
  static void create() {
    table = Clients.orders(Clients.UNVERSIONED);
    List<Order> orders = new ArrayList<>();
    for (int number = 0; number < ORDERS; number++) {
      Order order = Order.of("ada", id(number));
      order.setPriority(ORDERS - number);
      if (number % 10 == 0) {
        order.setStatus("OPEN");
        order.setCreated(Instant.parse("2026-06-01T00:00:00Z").plusSeconds(3600L * (ORDERS - number)));
      }
      orders.add(order);
    }
    writeAll(orders);
  }

  @AfterAll
  static void drop() {
    table.deleteTable();
  }

  private static String id(int number) {
    return "o-%03d".formatted(number);
  }

  private static List<String> ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(CollectionTest::id).toList();
  }

  private static List<String> idsOf(Iterable<Order> orders) {
    List<String> ids = new ArrayList<>();
    orders.forEach(order -> ids.add(order.getId()));
    return ids;
  }

  /** Batches of 25, and again with whatever the server left unprocessed. */
  private static void writeAll(List<Order> orders) {
    for (int first = 0; first < orders.size(); first += 25) {
      List<Order> rest = orders.subList(first, Math.min(first + 25, orders.size()));
      while (!rest.isEmpty()) {
        WriteBatch.Builder<Order> batch = WriteBatch.builder(Order.class).mappedTableResource(table);
        rest.forEach(batch::addPutItem);
        BatchWriteResult result =
            Clients.UNVERSIONED.batchWriteItem(
                BatchWriteItemEnhancedRequest.builder().addWriteBatch(batch.build()).build());
        rest = result.unprocessedPutItemsForTable(table);
      }
    }
  }

  private static Key key(String partition) {
    return Key.builder().partitionValue(partition).build();
  }

  private static Key key(String partition, String sort) {
    return Key.builder().partitionValue(partition).sortValue(sort).build();
  }

  @Test
  void aQueryGivesThePartitionInOrder() {
    assertEquals(ids(0, ORDERS), idsOf(table.query(keyEqualTo(key("ada"))).items()));
    assertEquals(List.of(), idsOf(table.query(keyEqualTo(key("nobody"))).items()));
  }

  @Test
  void sortKeyConditionsSelectRanges() {
    assertEquals(
        ids(10, 20), idsOf(table.query(sortBeginsWith(key("ada", "o-01"))).items()));
    assertEquals(
        ids(5, 9), idsOf(table.query(sortBetween(key("ada", "o-005"), key("ada", "o-008"))).items()));
    assertEquals(
        ids(57, ORDERS), idsOf(table.query(sortGreaterThan(key("ada", "o-056"))).items()));
  }

  @Test
  void pagesEndWithTheKeyWhereTheNextBegins() {
    List<Page<Order>> pages = new ArrayList<>();
    table.query(r -> r.queryConditional(keyEqualTo(key("ada"))).limit(25)).forEach(pages::add);
    assertEquals(List.of(25, 25, 10), pages.stream().map(page -> page.items().size()).toList());
    assertEquals(AttributeValue.fromS(id(24)), pages.get(0).lastEvaluatedKey().get("id"));
    assertNull(pages.get(2).lastEvaluatedKey());
    Map<String, AttributeValue> start = pages.get(1).lastEvaluatedKey();
    List<String> rest =
        idsOf(
            table
                .query(r -> r.queryConditional(keyEqualTo(key("ada"))).exclusiveStartKey(start))
                .items());
    assertEquals(ids(50, ORDERS), rest);
  }

  @Test
  void aLocalIndexOrdersByItsOwnKey() {
    SdkIterable<Page<Order>> pages =
        table.index("by-priority").query(r -> r.queryConditional(keyEqualTo(key("ada"))).consistentRead(true));
    List<String> found = new ArrayList<>();
    pages.forEach(page -> page.items().forEach(order -> found.add(order.getId())));
    List<String> expected = new ArrayList<>(ids(0, ORDERS));
    Collections.reverse(expected);
    assertEquals(expected, found);
  }

  @Test
  void aSparseGlobalIndexHoldsWhatHasItsKeys() {
    Clients.eventually(
        () -> {
          List<String> found = new ArrayList<>();
          table
              .index("by-status")
              .query(r -> r.queryConditional(keyEqualTo(key("OPEN"))).scanIndexForward(false))
              .forEach(page -> page.items().forEach(order -> found.add(order.getId())));
          assertEquals(List.of("o-000", "o-010", "o-020", "o-030", "o-040", "o-050"), found);
        });
  }

  @Test
  void aFilterAndAProjectionThinTheAnswer() {
    Expression filter =
        Expression.builder()
            .expression("priority > :least AND attribute_not_exists(#s)")
            .putExpressionName("#s", "status")
            .putExpressionValue(":least", AttributeValue.fromN("55"))
            .build();
    List<Order> found = new ArrayList<>();
    table
        .query(
            r ->
                r.queryConditional(keyEqualTo(key("ada")))
                    .filterExpression(filter)
                    .attributesToProject("id"))
        .items()
        .forEach(found::add);
    assertEquals(ids(1, 5), idsOf(found));
    assertNull(found.get(0).getPriority());
    assertNull(found.get(0).getCustomer());
  }

  @Test
  void aScanBySegmentsGivesEverythingOnce() {
    List<String> found = new ArrayList<>();
    for (int segment = 0; segment < 3; segment++) {
      int number = segment;
      table
          .scan(r -> r.segment(number).totalSegments(3).limit(7).consistentRead(true))
          .items()
          .forEach(order -> found.add(order.getCustomer() + "/" + order.getId()));
    }
    TreeSet<String> unique = new TreeSet<>(found);
    assertEquals(found.size(), unique.size());
    assertTrue(unique.containsAll(ids(0, ORDERS).stream().map(id -> "ada/" + id).toList()));
  }

  @Test
  void aBatchReadsWhatExists() {
    ReadBatch.Builder<Order> batch = ReadBatch.builder(Order.class).mappedTableResource(table);
    for (String id : List.of("o-001", "o-002", "o-003", "none")) {
      batch.addGetItem(r -> r.key(key("ada", id)).consistentRead(true));
    }
    TreeSet<String> found = new TreeSet<>();
    Clients.UNVERSIONED
        .batchGetItem(BatchGetItemEnhancedRequest.builder().readBatches(batch.build()).build())
        .resultsForTable(table)
        .forEach(order -> found.add(order.getId()));
    assertEquals(new TreeSet<>(ids(1, 4)), found);
  }

  @Test
  void aBatchWritesAndDeletes() {
    writeAll(List.of(Order.of("ben", "a"), Order.of("ben", "b"), Order.of("ben", "c")));
    WriteBatch batch =
        WriteBatch.builder(Order.class)
            .mappedTableResource(table)
            .addDeleteItem(key("ben", "a"))
            .addPutItem(Order.of("ben", "d"))
            .build();
    assertNotNull(
        Clients.UNVERSIONED.batchWriteItem(
            BatchWriteItemEnhancedRequest.builder().writeBatches(batch).build()));
    SdkIterable<Order> left =
        table.query(r -> r.queryConditional(keyEqualTo(key("ben"))).consistentRead(true)).items();
    assertEquals(List.of("b", "c", "d"), idsOf(left));
  }
}
