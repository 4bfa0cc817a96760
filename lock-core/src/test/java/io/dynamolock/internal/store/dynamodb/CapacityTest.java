package io.dynamolock.internal.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Edits;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * What a lock's item costs, by the length of its queue. All entries are of the longest kind, and the fencing tokens are
 * today's.
 */
// One after the other, because they share the meter.
@Execution(ExecutionMode.SAME_THREAD)
class CapacityTest {

    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456789Z");
    private static final DynamoTableSettings SETTINGS = Tables.settings("");

    private static double units;
    private static DynamoDbClient client;
    private static DynamoStore store;

    private final LockKey key = new LockKey(UUID.randomUUID().toString().substring(0, 13), "default");
    private final Random random = new Random(1);

    @BeforeAll
    static void openStore() {
        Tables.createOnce("embedded", EmbeddedDynamoDb.client(), SETTINGS);
        client = EmbeddedDynamoDb.blockingClientAt(EmbeddedDynamoDb.endpoint())
                .overrideConfiguration(settings -> settings.addExecutionInterceptor(new Meter()))
                .build();
        store = new DynamoStore(new BlockingClient(client), SETTINGS, 1, Runnable::run);
    }

    @AfterAll
    static void closeClient() {
        client.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "50, 1", "51, 2", "100, 2", "150, 3", "200, 4"})
    void everyFiftyEntriesCostOneMoreUnitPerWrite(int entries, double expected) {
        Entry first = appended(entries).get(0);
        assertThat(units).as("the append").isEqualTo(expected);

        Entry reissued = longestEntry();
        edit(Edits.reissue(0, first, reissued, null));
        assertThat(units).as("a reissue").isEqualTo(expected);

        edit(Edits.remove(Map.of(0, reissued)));
        assertThat(units).as("a removal").isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "900, 1", "1024, 2", "10000, 10", "65536, 65"})
    void everyKilobyteOfDataCostsOneMoreUnitPerWrite(int bytes, double expected) {
        Entry holder = appended(1).get(0);
        edit(Edits.edit(Map.of(), null, 0, 0, true, LockData.of(new byte[bytes]), 0));

        edit(Edits.remove(Map.of(0, holder)));

        assertThat(units).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 200})
    void anInconsistentReadCostsHalfAUnitAndAConsistentOneOne(int entries) {
        appended(entries);

        store.read(key, false).toCompletableFuture().join();
        assertThat(units).isEqualTo(0.5);
        store.read(key, true).toCompletableFuture().join();
        assertThat(units).isEqualTo(1);
    }

    private List<Entry> appended(int entries) {
        List<Entry> queue =
                IntStream.range(0, entries).mapToObj(i -> longestEntry()).toList();
        edit(Edits.append(entries, queue.toArray(Entry[]::new)));
        return queue;
    }

    private void edit(Edit edit) {
        Answer<LockItem> answer =
                store.edit(key, edit, NOW).toCompletableFuture().join();
        assertThat(answer.isApplied()).isTrue();
    }

    private Entry longestEntry() {
        Entry entry = new Entry.OfSession(SessionId.of(random.nextLong()), 1L << 24, Mode.EXCLUSIVE, 64);
        assertThat(entry.text()).hasSize(Entry.MOST_BYTES);
        return entry;
    }

    /** Asks for what each call costs, and reads it. */
    private static final class Meter implements ExecutionInterceptor {

        @Override
        public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
            return context.request() instanceof UpdateItemRequest update
                    ? update.toBuilder()
                            .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                            .build()
                    : ((GetItemRequest) context.request())
                            .toBuilder()
                                    .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                                    .build();
        }

        @Override
        public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
            units = context.response() instanceof UpdateItemResponse updated
                    ? updated.consumedCapacity().capacityUnits()
                    : ((GetItemResponse) context.response()).consumedCapacity().capacityUnits();
        }
    }
}
