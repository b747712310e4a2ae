package stator.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import software.amazon.awssdk.enhanced.dynamodb.Document;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactPutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactWriteItemsEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Transactions through the enhanced client, with the versioned record extension guarding each bean. */
class TransactionTest {
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

  private Key key(String id) {
    return Key.builder().partitionValue(customer).sortValue(id).build();
  }

  private Order load(String id) {
    return table.getItem(r -> r.key(key(id)).consistentRead(true));
  }

  private Order stored(String id, int priority) {
    Order order = Order.of(customer, id);
    order.setPriority(priority);
    table.putItem(order);
    return load(id);
  }

  private static void write(Consumer<TransactWriteItemsEnhancedRequest.Builder> request) {
    Clients.ENHANCED.transactWriteItems(request);
  }

  private static List<String> codes(TransactionCanceledException cancelled) {
    return cancelled.cancellationReasons().stream().map(CancellationReason::code).toList();
  }

  private static TransactionCanceledException cancelled(Executable action) {
    TransactionCanceledException cancelled = assertThrows(TransactionCanceledException.class, action);
    assertEquals(
        "Transaction cancelled, please refer cancellation reasons for specific reasons ["
            + String.join(", ", codes(cancelled))
            + "]",
        cancelled.awsErrorDetails().errorMessage());
    return cancelled;
  }

  private static Expression priorityAtLeast(int least) {
    return Expression.builder()
        .expression("priority >= :least")
        .putExpressionValue(":least", AttributeValue.fromN(Integer.toString(least)))
        .build();
  }

  @Test
  void allFourActionsAreDoneTogether() {
    Order changed = stored("changed", 1);
    changed.setStatus("PAID");
    stored("deleted", 1);
    stored("checked", 5);
    write(
        r ->
            r.addPutItem(table, Order.of(customer, "new"))
                .addUpdateItem(table, changed)
                .addDeleteItem(table, key("deleted"))
                .addConditionCheck(
                    table,
                    ConditionCheck.builder().key(key("checked")).conditionExpression(priorityAtLeast(5)).build()));
    assertEquals(1L, load("new").getVersion());
    assertEquals("PAID", load("changed").getStatus());
    assertEquals(2L, load("changed").getVersion());
    assertNull(load("deleted"));
    assertEquals(1L, load("checked").getVersion());
  }

  @Test
  void anOldVersionCancelsEverything() {
    Order mine = stored("shared", 1);
    Order theirs = load("shared");
    theirs.setStatus("THEIRS");
    table.updateItem(theirs);
    mine.setStatus("MINE");
    TransactionCanceledException refused =
        cancelled(
            () -> write(r -> r.addPutItem(table, Order.of(customer, "other")).addUpdateItem(table, mine)));
    assertEquals(List.of("None", "ConditionalCheckFailed"), codes(refused));
    assertEquals("The conditional request failed", refused.cancellationReasons().get(1).message());
    assertNull(load("other"));
    assertEquals("THEIRS", load("shared").getStatus());
    assertEquals(2L, load("shared").getVersion());
  }

  @Test
  void aSecondCreationCancelsEverything() {
    stored("there", 1);
    TransactionCanceledException refused =
        cancelled(
            () ->
                write(
                    r ->
                        r.addPutItem(table, Order.of(customer, "there"))
                            .addPutItem(table, Order.of(customer, "other"))));
    assertEquals(List.of("ConditionalCheckFailed", "None"), codes(refused));
    assertNull(load("other"));
  }

  @Test
  void aReasonCarriesTheItemWhenAsked() {
    Order order = stored("guarded", 3);
    TransactPutItemEnhancedRequest<Order> put =
        TransactPutItemEnhancedRequest.builder(Order.class)
            .item(order)
            .conditionExpression(priorityAtLeast(4))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    ConditionCheck<Order> check =
        ConditionCheck.builder().key(key("absent")).conditionExpression(priorityAtLeast(0)).build();
    TransactionCanceledException refused =
        cancelled(() -> write(r -> r.addPutItem(table, put).addConditionCheck(table, check)));
    assertEquals(List.of("ConditionalCheckFailed", "ConditionalCheckFailed"), codes(refused));
    assertEquals("3", refused.cancellationReasons().get(0).item().get("priority").n());
    assertFalse(refused.cancellationReasons().get(1).hasItem());
  }

  @Test
  void aReadGivesAllItemsOfOneMoment() {
    stored("a", 1);
    stored("b", 2);
    List<Document> found =
        Clients.ENHANCED.transactGetItems(
            r -> r.addGetItem(table, key("b")).addGetItem(table, key("absent")).addGetItem(table, key("a")));
    assertEquals(2, found.get(0).getItem(table).getPriority());
    assertNull(found.get(1).getItem(table));
    assertEquals(1, found.get(2).getItem(table).getPriority());
  }

  @Test
  void aTokenMakesARepetitionHarmless() {
    String token = UUID.randomUUID().toString();
    write(r -> r.addPutItem(table, Order.of(customer, "once")).clientRequestToken(token));
    // Without the token the version's condition would refuse the second creation.
    write(r -> r.addPutItem(table, Order.of(customer, "once")).clientRequestToken(token));
    assertEquals(1L, load("once").getVersion());
    assertThrows(
        IdempotentParameterMismatchException.class,
        () -> write(r -> r.addPutItem(table, Order.of(customer, "another")).clientRequestToken(token)));
    assertNull(load("another"));
  }

  /** Writers move priority between two orders: what is lost by one is won by the other, whoever loses the race. */
  @Test
  void collidingWritersLoseNothing() throws Exception {
    stored("left", 100);
    stored("right", 100);
    AtomicInteger moved = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<?>> writers = new ArrayList<>();
    for (int writer = 0; writer < 8; writer++) {
      writers.add(
          threads.submit(
              () -> {
                for (int turn = 0; turn < 25; turn++) {
                  move(moved);
                }
              }));
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    threads.shutdown();
    assertTrue(moved.get() > 0);
    assertEquals(100 - moved.get(), load("left").getPriority());
    assertEquals(100 + moved.get(), load("right").getPriority());
    assertEquals(1L + moved.get(), load("left").getVersion());
  }

  private void move(AtomicInteger moved) {
    try {
      List<Document> found =
          Clients.ENHANCED.transactGetItems(
              r -> r.addGetItem(table, key("left")).addGetItem(table, key("right")));
      Order left = found.get(0).getItem(table);
      Order right = found.get(1).getItem(table);
      assertEquals(200, left.getPriority() + right.getPriority());
      assertEquals(left.getVersion(), right.getVersion());
      left.setPriority(left.getPriority() - 1);
      right.setPriority(right.getPriority() + 1);
      write(r -> r.addUpdateItem(table, left).addUpdateItem(table, right));
      moved.incrementAndGet();
    } catch (TransactionCanceledException lost) {
      for (String code : codes(lost)) {
        assertTrue(List.of("None", "ConditionalCheckFailed", "TransactionConflict").contains(code), code);
      }
    }
  }
}
