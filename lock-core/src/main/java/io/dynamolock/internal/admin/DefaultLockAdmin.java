package io.dynamolock.internal.admin;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSnapshot;
import io.dynamolock.LockTable;
import io.dynamolock.internal.handles.Failures;
import io.dynamolock.internal.process.InspectionPage;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.registry.Admission;
import io.dynamolock.internal.registry.Lifecycle;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.text.PersonalText;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.threads.Futures;
import io.dynamolock.internal.threads.StoreTroubles;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators see of one registry and do to it. Methods that read or write the table block. Thread-safe.
 *
 * @param admission which keys and requests the registry takes
 */
public record DefaultLockAdmin(
        Admission admission, LockEngine engine, Lifecycle lifecycle, StoreTroubles troubles, Optional<LockTable> table)
        implements LockAdmin {

    private static final Logger log = LoggerFactory.getLogger(DefaultLockAdmin.class);

    private static final String UNKNOWN = ", so who holds it is not known; nothing about it was changed";

    /** Marks the place before the first page. */
    private static final LockPage.Mark BEGINNING = new LockPage.Mark("", "");

    /** Comes after the last page, and ends the iteration. */
    private static final InspectionPage END = new InspectionPage(Map.of(), null);

    @Override
    public LockSnapshot inspect(String key, String namespace) {
        LockKey lock = admission.key(key, namespace);
        return await(engine.inspect(lock), lock, "Inspecting", UNKNOWN).snapshot(lock);
    }

    @Override
    public Stream<LockSnapshot> list(String key) {
        return locks(admission.key(key, LockRequest.DEFAULT_NAMESPACE).key());
    }

    @Override
    public Stream<LockSnapshot> listAll() {
        return locks(null);
    }

    /** @param key the key whose locks are listed; {@code null} for all locks of the table */
    private Stream<LockSnapshot> locks(@Nullable String key) {
        LockKey listed = new LockKey(key == null ? "" : key, "");
        admission.ensureOpen(listed);
        return Stream.iterate(
                        new InspectionPage(Map.of(), BEGINNING),
                        page -> !page.equals(END),
                        page -> page.last() == null ? END : pageAfter(page.last(), key, listed))
                .flatMap(page -> page.locks().entrySet().stream())
                .map(lock -> lock.getValue().snapshot(lock.getKey()));
    }

    /** @param listed the locks that are listed, for messages */
    private InspectionPage pageAfter(LockPage.Mark last, @Nullable String key, LockKey listed) {
        admission.ensureOpen(listed);
        return await(engine.list(key, last.equals(BEGINNING) ? null : last), listed, "Listing", UNKNOWN);
    }

    /**
     * Waits for the engine's answer.
     *
     * @param what what is being done, as the beginning of a sentence that goes on with the lock
     * @param consequence the end of that sentence if the store fails
     */
    private <T> T await(CompletableFuture<T> reading, LockKey key, String what, String consequence) {
        String whatOfWhich = what + " the " + LockNames.describe(key);
        try {
            return Futures.await(
                    reading,
                    interrupt -> new LockInterruptedException(
                            key.key(), key.namespace(), whatOfWhich + " was interrupted.", interrupt));
        } catch (StoreFailure failure) {
            throw Failures.ofStore(key, whatOfWhich + " failed" + consequence, failure);
        } catch (IllegalStateException shutDown) {
            admission.ensureOpen(key);
            throw shutDown;
        }
    }

    @Override
    public void setPermits(String key, String namespace, int permits) {
        LockRequest request = LockRequest.of(key).namespace(namespace).permits(permits);
        LockKey lock = admission.checked(request).key();
        await(engine.resize(lock, permits).thenApply(done -> true), lock, "Setting the permits of", "");
    }

    @Override
    public boolean evict(String key, String namespace, String id, String operator) {
        LockKey lock = admission.key(key, namespace);
        try {
            Entry.checkId(Objects.requireNonNull(id, "id"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "id must be that of a holder or waiter in a LockSnapshot of the " + LockNames.describe(lock)
                            + ", but was " + PersonalText.quoted(id) + ".",
                    e);
        }
        log.warn(
                "{} asks for the entry {} in the queue of a lock in namespace {} to be given up",
                PersonalText.operator(operator),
                SafeText.quote(id),
                SafeText.quote(namespace));
        return await(
                engine.evict(lock, id, operator),
                lock,
                "Evicting from the queue of",
                "; its process may have been told");
    }

    @Override
    public Optional<String> clockProblem() {
        return engine.clockProblem();
    }

    @Override
    public List<StoreTrouble> storeTroubles() {
        return troubles.present();
    }

    @Override
    public List<Held> held() {
        return engine.held().stream()
                .map(grant -> new Held(
                        grant.key().key(),
                        grant.key().namespace(),
                        grant.spec().name(),
                        grant.ticket(),
                        grant.since(),
                        grant.spec().caller()))
                .toList();
    }

    @Override
    public int waiting() {
        return engine.waiting();
    }

    @Override
    public List<Waiter> waiters() {
        return engine.waiters();
    }

    @Override
    public Optional<Session> session() {
        return engine.session()
                .map(own -> new Session(
                        own.id().toString(), own.owner(), own.since(), own.lastHeartbeat(), own.remaining()));
    }

    @Override
    public void pause() {
        lifecycle.pause();
    }

    @Override
    public void resume() {
        lifecycle.resume();
    }
}
