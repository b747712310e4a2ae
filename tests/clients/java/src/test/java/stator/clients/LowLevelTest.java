package stator.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/** The plain client: responses as the SDK models them, errors as its classes. */
class LowLevelTest {
  private static final DynamoDbClient CLIENT = Clients.LOW_LEVEL;
  private static String table;

  @BeforeAll
  static void create() {
    table = Clients.unique("java-plain");
    createTable(table);
    Clients.WAITER.waitUntilTableExists(r -> r.tableName(table));
  }

  @AfterAll
  static void drop() {
    CLIENT.deleteTable(r -> r.tableName(table));
  }

  private static TableDescription createTable(String name) {
    return CLIENT
        .createTable(
            r ->
                r.tableName(name)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .keySchema(
                        k -> k.attributeName("pk").keyType(KeyType.HASH),
                        k -> k.attributeName("sk").keyType(KeyType.RANGE))
                    .attributeDefinitions(
                        a -> a.attributeName("pk").attributeType(ScalarAttributeType.S),
                        a -> a.attributeName("sk").attributeType(ScalarAttributeType.N)))
        .tableDescription();
  }

  private static Map<String, AttributeValue> key(String partition, int sort) {
    return Map.of(
        "pk", AttributeValue.fromS(partition), "sk", AttributeValue.fromN(Integer.toString(sort)));
  }

  @Test
  void tablesAreMadeDescribedAndDeleted() {
    String name = Clients.unique("java-life");
    assertEquals(name, createTable(name).tableName());
    TableDescription described =
        Clients.WAITER
            .waitUntilTableExists(r -> r.tableName(name))
            .matched()
            .response()
            .orElseThrow()
            .table();
    assertEquals(TableStatus.ACTIVE, described.tableStatus());
    assertEquals(BillingMode.PAY_PER_REQUEST, described.billingModeSummary().billingMode());
    assertFalse(described.hasGlobalSecondaryIndexes());
    CLIENT.deleteTable(r -> r.tableName(name));
    Clients.WAITER.waitUntilTableNotExists(r -> r.tableName(name));
    assertThrows(ResourceNotFoundException.class, () -> CLIENT.describeTable(r -> r.tableName(name)));
  }

  @Test
  void attributeValuesRoundTrip() {
    Map<String, AttributeValue> item = new HashMap<>(key(Clients.unique("types"), 1));
    item.put("nul", AttributeValue.fromNul(true));
    item.put("bool", AttributeValue.fromBool(false));
    item.put("b", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {0, -1, 7})));
    item.put("bs", AttributeValue.fromBs(List.of(SdkBytes.fromUtf8String("one"))));
    item.put("ns", AttributeValue.fromNs(List.of("1.5")));
    item.put("ss", AttributeValue.fromSs(List.of("é")));
    item.put("l", AttributeValue.fromL(List.of(AttributeValue.fromL(List.of()), AttributeValue.fromS(""))));
    item.put("m", AttributeValue.fromM(Map.of("x", AttributeValue.fromM(Map.of()))));
    CLIENT.putItem(r -> r.tableName(table).item(item));
    GetItemResponse found =
        CLIENT.getItem(
            r -> r.tableName(table).key(Map.of("pk", item.get("pk"), "sk", item.get("sk"))).consistentRead(true));
    assertTrue(found.hasItem());
    assertEquals(item, found.item());
  }

  @Test
  void anAbsentItemIsNotThere() {
    GetItemResponse found = CLIENT.getItem(r -> r.tableName(table).key(key("absent", 1)));
    assertFalse(found.hasItem());
    assertTrue(found.sdkHttpResponse().isSuccessful());
  }

  @Test
  void capacityIsReported() {
    PutItemResponse written =
        CLIENT.putItem(
            r ->
                r.tableName(table)
                    .item(key("capacity", 1))
                    .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL));
    assertEquals(table, written.consumedCapacity().tableName());
    assertEquals(1.0, written.consumedCapacity().capacityUnits());
  }

  @Test
  void thePaginatorsGiveEverything() {
    for (int sort = 0; sort < 30; sort++) {
      Map<String, AttributeValue> item = key("pages", sort);
      CLIENT.putItem(r -> r.tableName(table).item(item));
    }
    List<String> found = new ArrayList<>();
    CLIENT
        .queryPaginator(
            r ->
                r.tableName(table)
                    .keyConditionExpression("pk = :p")
                    .expressionAttributeValues(Map.of(":p", AttributeValue.fromS("pages")))
                    .limit(8)
                    .consistentRead(true))
        .items()
        .forEach(item -> found.add(item.get("sk").n()));
    List<String> expected = new ArrayList<>();
    for (int sort = 0; sort < 30; sort++) {
      expected.add(Integer.toString(sort));
    }
    assertEquals(expected, found);
  }

  @Test
  void anUpdateReturnsItsAttributes() {
    Map<String, AttributeValue> updated =
        CLIENT
            .updateItem(
                r ->
                    r.tableName(table)
                        .key(key("update", 1))
                        .updateExpression("SET a = :a ADD n :n")
                        .expressionAttributeValues(
                            Map.of(":a", AttributeValue.fromS("x"), ":n", AttributeValue.fromN("2")))
                        .returnValues(ReturnValue.UPDATED_NEW))
            .attributes();
    assertEquals(Map.of("a", AttributeValue.fromS("x"), "n", AttributeValue.fromN("2")), updated);
  }

  @Test
  void aMissingTableIsResourceNotFound() {
    ResourceNotFoundException missing =
        assertThrows(
            ResourceNotFoundException.class,
            () -> CLIENT.getItem(r -> r.tableName("no-such-table").key(key("a", 1))));
    assertEquals("Requested resource not found", missing.awsErrorDetails().errorMessage());
    assertFalse(missing.requestId().isEmpty());
  }

  @Test
  void aTakenNameIsResourceInUse() {
    ResourceInUseException taken = assertThrows(ResourceInUseException.class, () -> createTable(table));
    assertEquals("Table already exists: " + table, taken.awsErrorDetails().errorMessage());
  }

  @Test
  void anIncompleteKeyIsAValidationException() {
    DynamoDbException invalid =
        assertThrows(
            DynamoDbException.class,
            () -> CLIENT.getItem(r -> r.tableName(table).key(Map.of("pk", AttributeValue.fromS("a")))));
    assertEquals("ValidationException", invalid.awsErrorDetails().errorCode());
    assertEquals(
        "The provided key element does not match the schema", invalid.awsErrorDetails().errorMessage());
    assertFalse(invalid.isThrottlingException());
  }
}
