package io.dynamolock.store.dynamodb;

import io.dynamolock.protocol.Answer;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.SessionId;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.LockStore;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Being written. */
public final class DynamoLockStore implements LockStore {

    public DynamoLockStore(DynamoDbAsyncClient client, DynamoTableSettings settings) {}

    @Override
    public CompletionStage<Answer<LockItem>> take(LockKey key, Step step, Instant now) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<LockItem> look(LockKey key, boolean consistent) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Answer<Optional<SessionItem>>> take(SessionId id, SessionStep step, Instant now) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Map<SessionId, SessionItem>> sessions(Set<SessionId> ids) {
        throw new UnsupportedOperationException();
    }
}
