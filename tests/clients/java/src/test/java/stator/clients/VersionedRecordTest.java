package stator.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.DeleteItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** Beans through the enhanced client, guarded by the versioned record extension and by conditions. */
class VersionedRecordTest {
  private static DynamoDbTable<Order> table;
  private String customer;

  @BeforeAll
  static void create() {
    table = Clients.orders(Clients.ENHANCED);
  }

  @AfterAll
  static void drop() {
    table.deleteTable();
  }

  @BeforeEach
  void customer() {
    customer = Clients.unique("customer");
  }

  private Order load(String id) {
    Key key = Key.builder().partitionValue(customer).sortValue(id).build();
    return table.getItem(r -> r.key(key).consistentRead(true));
  }

  @Test
  void everyFieldOfABeanRoundTrips() {
    Order order = Order.of(customer, "o-1");
    order.setStatus("OPEN");
    order.setCreated(Instant.parse("2026-06-01T10:15:30.123456789Z"));
    order.setTotal(new BigDecimal("12345678901234567890.123456789012345678"));
    order.setPriority(-3);
    order.setGift(true);
    order.setSignature(new byte[] {0, 1, -1, 127, -128});
    order.setLines(List.of(Order.Line.of("ABC", 2), Order.Line.of("XYZ", 1)));
    order.setLabels(Map.of("colour", "grün", "empty", ""));
    order.setTags(Set.of("fast", "fragile"));
    table.putItem(order);

    Order found = load("o-1");
    assertEquals("OPEN", found.getStatus());
    assertEquals(order.getCreated(), found.getCreated());
    assertEquals(order.getTotal(), found.getTotal());
    assertEquals(-3, found.getPriority());
    assertTrue(found.getGift());
    assertArrayEquals(order.getSignature(), found.getSignature());
    assertEquals(List.of("ABC", "XYZ"), found.getLines().stream().map(Order.Line::getSku).toList());
    assertEquals(2, found.getLines().get(0).getQuantity());
    assertEquals(order.getLabels(), found.getLabels());
    assertEquals(order.getTags(), found.getTags());
  }

  @Test
  void anAbsentItemIsNull() {
    assertNull(load("none"));
    assertNull(table.deleteItem(Order.of(customer, "none")));
  }

  @Test
  void theVersionCountsTheWrites() {
    table.putItem(Order.of(customer, "o-1"));
    assertEquals(1L, load("o-1").getVersion());
    Order loaded = load("o-1");
    loaded.setStatus("PAID");
    Order updated = table.updateItem(loaded);
    assertEquals(2L, updated.getVersion());
    assertEquals("PAID", load("o-1").getStatus());
    assertEquals(2L, load("o-1").getVersion());
  }

  @Test
  void aSecondCreationIsRefused() {
    table.putItem(Order.of(customer, "o-1"));
    assertThrows(ConditionalCheckFailedException.class, () -> table.putItem(Order.of(customer, "o-1")));
  }

  @Test
  void theWriterWithTheOldVersionLoses() {
    table.putItem(Order.of(customer, "o-1"));
    Order first = load("o-1");
    Order second = load("o-1");
    first.setStatus("PAID");
    second.setStatus("CANCELLED");
    table.updateItem(first);
    ConditionalCheckFailedException refused =
        assertThrows(ConditionalCheckFailedException.class, () -> table.updateItem(second));
    assertEquals("ConditionalCheckFailedException", refused.awsErrorDetails().errorCode());
    assertEquals("The conditional request failed", refused.awsErrorDetails().errorMessage());
    assertEquals(400, refused.statusCode());
    assertEquals("PAID", load("o-1").getStatus());
  }

  @Test
  void manyWritersLoseNoUpdate() throws Exception {
    Order counted = Order.of(customer, "o-1");
    counted.setPriority(0);
    table.putItem(counted);
    ExecutorService threads = Executors.newFixedThreadPool(16);
    List<Future<?>> writers = new ArrayList<>();
    for (int writer = 0; writer < 16; writer++) {
      writers.add(threads.submit(() -> addToPriority(5)));
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    threads.shutdown();
    assertEquals(16 * 5, load("o-1").getPriority());
    assertEquals(16 * 5 + 1L, load("o-1").getVersion());
  }

  private void addToPriority(int times) {
    for (int done = 0; done < times; ) {
      Order order = load("o-1");
      order.setPriority(order.getPriority() + 1);
      try {
        table.updateItem(order);
        done++;
      } catch (ConditionalCheckFailedException lost) {
        // Another writer was faster: read again and try again.
      }
    }
  }

  @Test
  void anUpdateThatIgnoresNullsKeepsTheOtherFields() {
    Order order = Order.of(customer, "o-1");
    order.setStatus("OPEN");
    order.setTotal(new BigDecimal("10"));
    table.putItem(order);
    Order change = Order.of(customer, "o-1");
    change.setVersion(1L);
    change.setTotal(new BigDecimal("20"));
    Order updated = table.updateItem(r -> r.item(change).ignoreNulls(true));
    assertEquals("OPEN", updated.getStatus());
    assertEquals(new BigDecimal("20"), updated.getTotal());
  }

  @Test
  void anUpdateWithNullsRemovesThem() {
    Order order = Order.of(customer, "o-1");
    order.setStatus("OPEN");
    order.setTags(Set.of("a"));
    table.putItem(order);
    Order loaded = load("o-1");
    loaded.setTags(null);
    table.updateItem(loaded);
    assertNull(load("o-1").getTags());
    assertEquals("OPEN", load("o-1").getStatus());
  }

  @Test
  void aFailedConditionCarriesTheItem() {
    Order order = Order.of(customer, "o-1");
    order.setStatus("OPEN");
    table.putItem(order);
    Order loaded = load("o-1");
    loaded.setStatus("PAID");
    PutItemEnhancedRequest<Order> request =
        PutItemEnhancedRequest.builder(Order.class)
            .item(loaded)
            .conditionExpression(statusIs("SHIPPED"))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    ConditionalCheckFailedException refused =
        assertThrows(ConditionalCheckFailedException.class, () -> table.putItem(request));
    assertTrue(refused.hasItem());
    assertEquals("OPEN", refused.item().get("status").s());
    assertEquals("1", refused.item().get("version").n());
  }

  @Test
  void aConditionGuardsTheDelete() {
    Order order = Order.of(customer, "o-1");
    order.setStatus("OPEN");
    table.putItem(order);
    Key key = Key.builder().partitionValue(customer).sortValue("o-1").build();
    DeleteItemEnhancedRequest.Builder request = DeleteItemEnhancedRequest.builder().key(key);
    assertThrows(
        ConditionalCheckFailedException.class,
        () -> table.deleteItem(request.conditionExpression(statusIs("SHIPPED")).build()));
    Order deleted = table.deleteItem(request.conditionExpression(statusIs("OPEN")).build());
    assertEquals("OPEN", deleted.getStatus());
    assertNull(load("o-1"));
  }

  private static Expression statusIs(String status) {
    return Expression.builder()
        .expression("#s = :s")
        .putExpressionName("#s", "status")
        .putExpressionValue(":s", AttributeValue.fromS(status))
        .build();
  }
}
