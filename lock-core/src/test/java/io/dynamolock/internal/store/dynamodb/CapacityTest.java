package io.dynamolock.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockRequest;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.testing.EmbeddedDynamoDb;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/**
 * What a lock's item costs, by the length of its queue: DynamoDB Local is asked by the very requests that the store
 * sends. All entries are of the longest kind, and the fencing tokens are today's.
 */
// One after the other, because they share the key.
@Execution(ExecutionMode.SAME_THREAD)
class CapacityTest {

    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456789Z");
    private static final long TAIL = 1_772_600_767_123_456L;
    private static final int LONGEST_ENTRY = 18;
    private static final DynamoTableSettings SETTINGS = Tables.settings("");

    private final LockKey key = new LockKey("customer:4711", LockRequest.DEFAULT_NAMESPACE);
    private final DynamoDbClient client = EmbeddedDynamoDb.blockingClient();
    private final ItemKeys keys = new ItemKeys(SETTINGS);
    private final LockRequests requests =
            new LockRequests(SETTINGS, keys, new SentOnce(EmbeddedDynamoDb.client(), SETTINGS.callTimeout()));
    private final Random random = new Random(1);

    @BeforeEach
    void createTable() {
        Tables.createOnce("embedded", EmbeddedDynamoDb.client(), SETTINGS);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "50, 1", "51, 2", "100, 2", "150, 3", "200, 4"})
    void eachFiftyBlocksCostAUnitWithEachWrite(int blocks, double units) {
        List<Entry> queue = putQueueOf(blocks);
        Step keep = new Step.Rename(queue.get(0), queue.get(0));

        ConsumedCapacity capacity = client.updateItem(requests.take(key, keep, NOW).toBuilder()
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                        .build())
                .consumedCapacity();

        assertThat(capacity.capacityUnits()).isEqualTo(units);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "900, 1", "1024, 2", "10000, 10", "65536, 65"})
    void eachKilobyteOfDataCostsAUnitWithEachWrite(int bytes, double units) {
        Entry holder = putQueueOf(1).get(0);
        Step put = new Step.Put(holder, 0, LockData.of(new byte[bytes]));
        client.updateItem(requests.take(key, put, NOW));

        ConsumedCapacity capacity = client.updateItem(requests.take(key, Step.Leave.of(0, holder), NOW).toBuilder()
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                        .build())
                .consumedCapacity();

        assertThat(capacity.capacityUnits()).isEqualTo(units);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 200})
    void aLookThatMayBeOldCostsHalfAUnitAndAnotherOne(int blocks) {
        putQueueOf(blocks);

        assertThat(look(false).capacityUnits()).isEqualTo(0.5);
        assertThat(look(true).capacityUnits()).isEqualTo(1);
    }

    private ConsumedCapacity look(boolean consistent) {
        return client.getItem(requests.look(key, consistent).toBuilder()
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                        .build())
                .consumedCapacity();
    }

    private List<Entry> putQueueOf(int blocks) {
        List<Entry> queue =
                IntStream.range(0, blocks).mapToObj(i -> longestEntry()).toList();
        Map<String, AttributeValue> item = new HashMap<>(keys.lock(key));
        item.put("tail", AttributeValues.number(TAIL));
        item.put(
                "queue",
                AttributeValue.fromL(queue.stream().map(AttributeValues::string).toList()));
        item.put("expiresAt", AttributeValues.expiry(NOW, SETTINGS));
        client.putItem(put -> put.tableName(SETTINGS.tableName()).item(item));
        return queue;
    }

    private Entry longestEntry() {
        Entry entry = new Entry(new BlockId(SessionId.of(random.nextLong()), 1L << 24), 64);
        assertThat(entry.toString()).hasSize(LONGEST_ENTRY);
        return entry;
    }
}
