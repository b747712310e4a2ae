package stator.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/** The atomic counter extension: the client says by how much, the server counts. */
class AtomicCounterTest {
  private static DynamoDbTable<Visits> table;

  @BeforeAll
  static void create() {
    table = Clients.ENHANCED.table(Clients.unique("java-visits"), TableSchema.fromBean(Visits.class));
    table.createTable();
    Clients.active(table);
  }

  @AfterAll
  static void drop() {
    table.deleteTable();
  }

  private static Visits visit(String page) {
    Visits visits = new Visits();
    visits.setPage(page);
    return visits;
  }

  private static Visits load(String page) {
    Key key = Key.builder().partitionValue(page).build();
    return table.getItem(r -> r.key(key).consistentRead(true));
  }

  @Test
  void aPutStartsTheCounters() {
    String page = Clients.unique("page");
    table.putItem(visit(page));
    assertEquals(0L, load(page).getViews());
    assertEquals(10L, load(page).getPoints());
  }

  @Test
  void eachUpdateAddsTheDeltas() {
    String page = Clients.unique("page");
    table.updateItem(visit(page));
    assertEquals(0L, load(page).getViews());
    for (int round = 1; round <= 3; round++) {
      Visits updated = table.updateItem(visit(page));
      assertEquals((long) round, updated.getViews());
      assertEquals(10L + 5 * round, updated.getPoints());
    }
  }

  @Test
  void concurrentUpdatesAllCount() throws Exception {
    String page = Clients.unique("page");
    table.putItem(visit(page));
    ExecutorService threads = Executors.newFixedThreadPool(32);
    List<Future<?>> writers = new ArrayList<>();
    for (int writer = 0; writer < 320; writer++) {
      writers.add(threads.submit(() -> table.updateItem(visit(page))));
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    threads.shutdown();
    assertEquals(320L, load(page).getViews());
    assertEquals(10L + 5 * 320, load(page).getPoints());
  }
}
