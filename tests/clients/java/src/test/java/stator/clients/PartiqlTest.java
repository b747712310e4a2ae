package stator.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementErrorCodeEnum;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DuplicateItemException;
import software.amazon.awssdk.services.dynamodb.model.ExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.ItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ParameterizedStatement;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** PartiQL through the plain client. */
class PartiqlTest {
  private static DynamoDbTable<Event> table;
  private static String quoted;

  @BeforeAll
  static void create() {
    table = Clients.streamed(StreamViewType.KEYS_ONLY);
    quoted = '"' + table.tableName() + '"';
  }

  @AfterAll
  static void drop() {
    table.deleteTable();
  }

  private static AttributeValue s(String text) {
    return AttributeValue.fromS(text);
  }

  private static AttributeValue n(int number) {
    return AttributeValue.fromN(Integer.toString(number));
  }

  private static ExecuteStatementResponse execute(String statement, AttributeValue... parameters) {
    return Clients.LOW_LEVEL.executeStatement(
        r -> r.statement(statement).parameters(parameters.length == 0 ? null : List.of(parameters)));
  }

  private static void insert(String source, int number, String text) {
    execute(
        "INSERT INTO " + quoted + " VALUE {'source': ?, 'number': ?, 'text': ?}", s(source), n(number), s(text));
  }

  private static String select(String rest) {
    return "SELECT * FROM " + quoted + " WHERE source = ? " + rest;
  }

  @Test
  void whatIsInsertedIsSelected() {
    insert("basic", 1, "x");
    Map<String, AttributeValue> item = Map.of("source", s("basic"), "number", n(1), "text", s("x"));
    assertEquals(List.of(item), execute(select("AND number = 1"), s("basic")).items());
    assertEquals(List.of(), execute(select("AND number = 2"), s("basic")).items());
    DuplicateItemException doubled =
        assertThrows(DuplicateItemException.class, () -> insert("basic", 1, "y"));
    assertEquals("Duplicate primary key exists in table", doubled.awsErrorDetails().errorMessage());
  }

  @Test
  void pagesGoOnByTheirToken() {
    for (int number = 0; number < 10; number++) {
      insert("pages", number, "x");
    }
    List<String> found = new ArrayList<>();
    String[] token = new String[1];
    do {
      ExecuteStatementResponse page =
          Clients.LOW_LEVEL.executeStatement(
              r ->
                  r.statement(select("ORDER BY number DESC"))
                      .parameters(s("pages"))
                      .limit(4)
                      .nextToken(token[0]));
      assertTrue(page.items().size() <= 4);
      page.items().forEach(item -> found.add(item.get("number").n()));
      token[0] = page.nextToken();
    } while (token[0] != null);
    assertEquals(List.of("9", "8", "7", "6", "5", "4", "3", "2", "1", "0"), found);
  }

  @Test
  void anUpdateReturnsWhatItChanged() {
    insert("update", 1, "old");
    ExecuteStatementResponse answer =
        execute(
            "UPDATE " + quoted + " SET text = ? SET extra = ? WHERE source = ? AND number = 1 RETURNING MODIFIED OLD *",
            s("new"), n(7), s("update"));
    assertEquals(List.of(Map.of("text", s("old"))), answer.items());
    assertEquals("7", execute(select(""), s("update")).items().get(0).get("extra").n());
    assertThrows(
        ConditionalCheckFailedException.class,
        () ->
            execute(
                "UPDATE " + quoted + " SET text = 'x' WHERE source = ? AND number = 1 AND extra = 8", s("update")));
    assertThrows(
        ConditionalCheckFailedException.class,
        () -> execute("UPDATE " + quoted + " SET text = 'x' WHERE source = 'nobody' AND number = 1"));
  }

  @Test
  void aDeleteReturnsWhatWasThere() {
    insert("delete", 1, "x");
    String delete = "DELETE FROM " + quoted + " WHERE source = ? AND number = 1 RETURNING ALL OLD *";
    assertEquals("x", execute(delete, s("delete")).items().get(0).get("text").s());
    assertTrue(execute(delete, s("delete")).items().isEmpty());
  }

  @Test
  void aBatchAnswersEachStatementOnItsOwn() {
    insert("batch", 1, "x");
    String put = "INSERT INTO " + quoted + " VALUE {'source': 'batch', 'number': ?}";
    BatchStatementRequest first = BatchStatementRequest.builder().statement(put).parameters(n(1)).build();
    BatchStatementRequest second = BatchStatementRequest.builder().statement(put).parameters(n(2)).build();
    List<BatchStatementResponse> answers =
        Clients.LOW_LEVEL.batchExecuteStatement(r -> r.statements(first, second)).responses();
    assertEquals(BatchStatementErrorCodeEnum.DUPLICATE_ITEM, answers.get(0).error().code());
    assertNull(answers.get(1).error());
    assertEquals(2, execute(select(""), s("batch")).items().size());
  }

  @Test
  void aTransactionIsDoneAsAWhole() {
    insert("transaction", 1, "x");
    ParameterizedStatement put =
        ParameterizedStatement.builder()
            .statement("INSERT INTO " + quoted + " VALUE {'source': 'transaction', 'number': 2}")
            .build();
    ParameterizedStatement change =
        ParameterizedStatement.builder()
            .statement("UPDATE " + quoted + " SET text = 'y' WHERE source = 'transaction' AND number = 1 AND text = ?")
            .parameters(s("wrong"))
            .build();
    TransactionCanceledException cancelled =
        assertThrows(
            TransactionCanceledException.class,
            () -> Clients.LOW_LEVEL.executeTransaction(r -> r.transactStatements(put, change)));
    assertEquals(
        List.of("None", "ConditionalCheckFailed"),
        cancelled.cancellationReasons().stream().map(CancellationReason::code).toList());

    ParameterizedStatement right = change.toBuilder().parameters(s("x")).build();
    Clients.LOW_LEVEL.executeTransaction(r -> r.transactStatements(put, right));
    List<ParameterizedStatement> reads = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      String read = select("AND number = " + number);
      reads.add(ParameterizedStatement.builder().statement(read).parameters(s("transaction")).build());
    }
    List<ItemResponse> found =
        Clients.LOW_LEVEL.executeTransaction(r -> r.transactStatements(reads)).responses();
    assertEquals("y", found.get(0).item().get("text").s());
    assertEquals("2", found.get(1).item().get("number").n());
    assertFalse(found.get(2).hasItem());
  }
}
