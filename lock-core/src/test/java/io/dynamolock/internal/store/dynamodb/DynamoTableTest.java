package io.dynamolock.internal.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table by both kinds of client; what is said of a bad one is a test of the lock table's. */
class DynamoTableTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTableIsCreatedInspectedAndDeleted(boolean blocking) {
        DynamoTableSettings settings =
                new DynamoTableSettings("table-" + UUID.randomUUID(), "", "pk", "sk", "expiresAt", SECOND, SECOND);
        DynamoTable table = blocking
                ? new DynamoTable(EmbeddedDynamoDb.blockingClient(), settings)
                : new DynamoTable(EmbeddedDynamoDb.client(), settings);

        assertThat(await(table.inspect())).isEqualTo(new TableInspection.Missing());
        await(table.create());
        await(table.create());
        assertThat(await(table.inspect())).isEqualTo(new TableInspection.Good());
        await(table.delete());
        await(table.delete());
        assertThat(await(table.inspect())).isEqualTo(new TableInspection.Missing());
        assertThat(table.endpoint()).isEqualTo(EmbeddedDynamoDb.endpoint().toString());
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
