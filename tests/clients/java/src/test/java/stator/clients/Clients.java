package stator.clients;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.opentest4j.AssertionFailedError;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/** Clients of STATOR_ENDPOINT, and tables that are ready for use. */
final class Clients {
  static final DynamoDbClient LOW_LEVEL = lowLevel();
  static final DynamoDbStreamsClient STREAMS = streams();
  static final DynamoDbEnhancedClient ENHANCED =
      DynamoDbEnhancedClient.builder().dynamoDbClient(LOW_LEVEL).build();

  /** Without extensions: a batch can carry no condition, and the version needs one. */
  static final DynamoDbEnhancedClient UNVERSIONED =
      DynamoDbEnhancedClient.builder().dynamoDbClient(LOW_LEVEL).extensions(List.of()).build();

  /** The SDK's waiter asks every 20 s; a table here is ready much sooner. */
  static final DynamoDbWaiter WAITER =
      DynamoDbWaiter.builder()
          .client(LOW_LEVEL)
          .overrideConfiguration(
              o ->
                  o.backoffStrategyV2(BackoffStrategy.fixedDelayWithoutJitter(Duration.ofMillis(50)))
                      .maxAttempts(1200))
          .build();

  private Clients() {}

  private static DynamoDbClient lowLevel() {
    return configured(DynamoDbClient.builder()).build();
  }

  private static DynamoDbStreamsClient streams() {
    return configured(DynamoDbStreamsClient.builder()).build();
  }

  private static <B extends AwsClientBuilder<B, ?> & AwsSyncClientBuilder<B, ?>> B configured(B builder) {
    String endpoint = System.getenv("STATOR_ENDPOINT");
    if (endpoint == null) {
      throw new IllegalStateException("STATOR_ENDPOINT is not set; use tests/clients/run");
    }
    return builder
        .endpointOverride(URI.create(endpoint))
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("testkey", "testsecret")))
        .httpClientBuilder(UrlConnectionHttpClient.builder().socketTimeout(Duration.ofSeconds(60)))
        // One attempt only: a retry inside the SDK would hide a fault of the server.
        .overrideConfiguration(o -> o.retryStrategy(r -> r.maxAttempts(1)));
  }

  static String unique(String prefix) {
    return prefix + "-" + UUID.randomUUID().toString().substring(0, 13);
  }

  /** Creates a table for orders with both of its indexes, and waits until it is ACTIVE. */
  static DynamoDbTable<Order> orders(DynamoDbEnhancedClient client) {
    DynamoDbTable<Order> table =
        client.table(unique("java-orders"), TableSchema.fromBean(Order.class));
    table.createTable(
        r ->
            r.globalSecondaryIndices(
                    i -> i.indexName("by-status").projection(p -> p.projectionType(ProjectionType.ALL)))
                .localSecondaryIndices(
                    i -> i.indexName("by-priority").projection(p -> p.projectionType(ProjectionType.ALL))));
    return active(table);
  }

  static <T> DynamoDbTable<T> active(DynamoDbTable<T> table) {
    WAITER.waitUntilTableExists(r -> r.tableName(table.tableName()));
    return table;
  }

  /** Creates a table for events with a stream, and waits until it is ACTIVE. */
  static DynamoDbTable<Event> streamed(StreamViewType view) {
    DynamoDbTable<Event> table = UNVERSIONED.table(unique("java-events"), TableSchema.fromBean(Event.class));
    table.createTable(r -> r.streamSpecification(s -> s.streamEnabled(true).streamViewType(view)));
    return active(table);
  }

  /** For reads of global secondary indexes, which may lag: repeats the check until it holds. */
  static void eventually(Runnable check) {
    eventually(Duration.ofSeconds(10), check);
  }

  static void eventually(Duration limit, Runnable check) {
    long end = System.nanoTime() + limit.toNanos();
    while (true) {
      try {
        check.run();
        return;
      } catch (AssertionFailedError error) {
        if (System.nanoTime() > end) {
          throw error;
        }
        Thread.yield();
      }
    }
  }
}
