package io.dynamolock.spring.unlocked;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSnapshot;
import io.dynamolock.LockTable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Shows the granted handles of this registry. Knows nothing about other processes. */
final class UnlockedAdmin implements LockAdmin {

    private final UnlockedGrants grants;

    UnlockedAdmin(UnlockedGrants grants) {
        this.grants = grants;
    }

    @Override
    public LockSnapshot inspect(String key, String namespace) {
        throw cannot("inspect a lock");
    }

    @Override
    public Stream<LockSnapshot> list(String key) {
        throw cannot("list locks");
    }

    @Override
    public Stream<LockSnapshot> listAll() {
        throw cannot("list locks");
    }

    @Override
    public boolean evict(String key, String namespace, String id, String operator) {
        throw cannot("evict a holder or waiter");
    }

    private static UnsupportedOperationException cannot(String what) {
        return new UnsupportedOperationException(
                "This registry locks nothing and knows nothing of other processes, so it cannot " + what + ".");
    }

    @Override
    public Optional<LockTable> table() {
        return Optional.empty();
    }

    @Override
    public Optional<String> clockProblem() {
        return Optional.empty();
    }

    @Override
    public List<Held> held() {
        return grants.held();
    }

    @Override
    public int waiting() {
        return 0;
    }

    @Override
    public List<Waiter> waiters() {
        return List.of();
    }

    @Override
    public Optional<Session> session() {
        return Optional.empty();
    }

    /** Only checks the arguments: any number of callers get a permit, whatever the number here. */
    @Override
    public void setPermits(String key, String namespace, int permits) {
        grants.check(LockRequest.of(key).namespace(namespace).permits(permits));
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {}
}
