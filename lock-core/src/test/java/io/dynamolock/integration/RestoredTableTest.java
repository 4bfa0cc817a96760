package io.dynamolock.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What a lost table means for fencing tokens, as the page on operations tells it. */
class RestoredTableTest {

    private final LockTableFixture fixture = new LockTableFixture();
    private final LockTable table = fixture.registry().table();
    private final DynamoDbClient client = EmbeddedDynamoDb.blockingClient();

    @Test
    void anEmptyTableGivesGreaterTokens() {
        long last = lastTokenOf(100);

        table.delete();
        table.create();

        assertThat(lastTokenOf(1)).isGreaterThan(last);
    }

    /** Not a promise, but the reason why a lock table must not be restored. */
    @Test
    void aRestoredTableGivesTokensThatWereGivenBefore() {
        lastTokenOf(1);
        List<Map<String, AttributeValue>> backup =
                client.scan(scan -> scan.tableName(table.name())).items();
        long last = lastTokenOf(100);

        table.delete();
        table.create();
        backup.forEach(item -> client.putItem(put -> put.tableName(table.name()).item(item)));

        assertThat(lastTokenOf(1)).isLessThan(last);
    }

    /** The last of this many tokens, given by a process that knows nothing of earlier ones. */
    private long lastTokenOf(int grants) {
        long last = 0;
        try (LockRegistry locks = fixture.registry().build()) {
            for (int i = 0; i < grants; i++) {
                try (LockHandle handle = locks.acquire("k", LockTableFixture.LONG)) {
                    last = handle.fencingToken();
                }
            }
        }
        return last;
    }
}
