package stator.clients;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;

/** Reads a stream from its beginning, all shards in turn, as a consumer would. */
final class StreamReader {
  private final Map<String, String> iterators = new LinkedHashMap<>();

  StreamReader(String arn) {
    for (Shard shard : shards(arn)) {
      iterators.put(
          shard.shardId(),
          Clients.STREAMS
              .getShardIterator(
                  r ->
                      r.streamArn(arn)
                          .shardId(shard.shardId())
                          .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
              .shardIterator());
    }
  }

  static String streamOf(String table) {
    return Clients.LOW_LEVEL.describeTable(r -> r.tableName(table)).table().latestStreamArn();
  }

  static List<Shard> shards(String arn) {
    List<Shard> shards = new ArrayList<>();
    String[] last = new String[1];
    do {
      StreamDescription description =
          Clients.STREAMS
              .describeStream(r -> r.streamArn(arn).exclusiveStartShardId(last[0]))
              .streamDescription();
      shards.addAll(description.shards());
      last[0] = description.lastEvaluatedShardId();
    } while (last[0] != null);
    return shards;
  }

  /** Everything that has come since the last call. */
  List<Record> more() {
    List<Record> records = new ArrayList<>();
    for (Map.Entry<String, String> shard : iterators.entrySet()) {
      boolean more = shard.getValue() != null;
      while (more) {
        GetRecordsResponse page = Clients.STREAMS.getRecords(r -> r.shardIterator(shard.getValue()));
        records.addAll(page.records());
        shard.setValue(page.nextShardIterator());
        more = !page.records().isEmpty() && page.nextShardIterator() != null;
      }
    }
    return records;
  }
}
