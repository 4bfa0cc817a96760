package io.dynamolock.internal.registry;

import static io.dynamolock.internal.testing.Thrown.refused;
import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.StandIn;
import io.dynamolock.ThreadLock;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.handles.RequestDefaults;
import io.dynamolock.internal.handles.Requests;
import io.dynamolock.internal.handles.UnawaitedReleases;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.testing.FakeGrant;
import io.dynamolock.internal.testing.TestThread;
import io.dynamolock.internal.threads.RegistryThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * How a thread's lock asks the engine, and what it has beyond {@link Lock}, whose promises are tested with the real
 * engine by the contract tests of the module verification.
 */
class ReentrantLockViewTest {

    private final FakeEngine engine = new FakeEngine();
    private final DefaultLockRegistry registry = engine.registry();
    private final AdoptableLock lock = (AdoptableLock) registry.lock("k");

    // Waiting

    @Test
    void lockWaitsForEver() {
        engine.granting();
        lock.lock();
        assertThat(engine.attempt(0).spec.waitLimit()).isEqualTo(LockRequest.FOREVER);
    }

    @Test
    void lockInterruptiblyWaitsUntilInterruptedAndClearsTheFlag() throws Exception {
        var caller = TestThread.running(() -> {
                    lock.lockInterruptibly();
                    return true;
                })
                .untilItWaits();
        assertThat(engine.attempt(0).spec.waitLimit()).isEqualTo(Duration.ofMinutes(1));

        caller.interrupt();

        assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
        caller.assertInterruptFlagAtEnd(false);
        assertThat(engine.attempt(0).abandons).hasValue(1);
    }

    @Test
    void tryLockDoesNotWaitForOthers() {
        engine.answering(new AcquireOutcome.TimedOut(Duration.ZERO, 1, null));
        assertThat(lock.tryLock()).isFalse();
        assertThat(engine.attempt(0).spec.waitLimit()).isZero();

        engine.granting();
        assertThat(lock.tryLock()).isTrue();
    }

    @Test
    void saysWhenTheStoreFailsAndHoldsNothing() {
        engine.answering(new AcquireOutcome.Failed(
                Duration.ZERO, new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "no answer", null)));

        assertThatThrownBy(lock::lock).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    // Reentrance

    @Test
    void isEqualOnlyToViewsThatHoldTheLockInTheSameWay() {
        Lock reader = registry.lock(registry.readWrite("k").read().request());
        Lock writer = registry.lock(registry.readWrite("k").write().request());
        Lock permit = registry.lock(registry.permits("k", 2).request());

        assertThat(registry.lock(registry.readWrite("k").read().request())).isEqualTo(reader);
        assertThat(reader).isNotEqualTo(writer).isNotEqualTo(lock).isNotEqualTo(permit);
        assertThat(writer).isNotEqualTo(lock);
        assertThat(registry.lock(registry.permits("k", 3).request())).isNotEqualTo(permit);
    }

    @Test
    void leavesNothingInAThreadThatHoldsNothing() {
        engine.granting();
        ThreadHolds holds = new ThreadHolds();
        Lock view = view(holds, "k");
        Lock other = view(holds, "o");
        assertThat(holds.ofThread.get()).isNull();

        view.lock();
        other.lock();
        view.unlock();
        assertThat(holds.ofThread.get()).isNotNull();
        other.unlock();
        assertThat(holds.ofThread.get()).isNull();

        assertThatThrownBy(view::unlock).isInstanceOf(IllegalMonitorStateException.class);
        engine.answering(new AcquireOutcome.TimedOut(Duration.ZERO, 1, null));
        assertThat(view.tryLock()).isFalse();
        assertThat(holds.ofThread.get()).isNull();
    }

    // Loss

    @Test
    void isReleasedWhenItsThreadDiesWithoutUnlocking() throws Exception {
        engine.granting();
        elsewhere(Executors.callable(() -> registry.lock("k").lock()));

        await().until(() -> {
            System.gc();
            return grant(0).releases.get() == 1;
        });
    }

    // What a request says

    @Test
    void waitsAsLongAsTheRequestSaysAndThenTimesOut() {
        Duration wait = Duration.ofSeconds(2);
        Duration most = Duration.ofSeconds(9);
        Duration least = Duration.ofSeconds(1);
        String caller = Thread.currentThread().getName();
        engine.answering(new AcquireOutcome.TimedOut(wait, 1, null));
        ThreadLock limited = registry.lock(LockRequest.of("k")
                .namespace("n")
                .name("name")
                .waitTime(wait)
                .maxHold(most)
                .holdAtLeast(least));

        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(limited::lock)
                .satisfies(e -> assertThat(e.namespace()).isEqualTo("n"))
                .satisfies(e -> assertThat(e.waited()).isEqualTo(wait));
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(limited::lockInterruptibly);
        assertThat(limited.tryLock()).isFalse();

        assertThat(limited.isHeldByCurrentThread()).isFalse();
        assertThat(engine.attempt(0).spec)
                .isEqualTo(new AcquireSpec(
                        new LockKey("k", "n"), "name", wait, most, least, Kind.EXCLUSIVE, 0, false, caller));
        assertThat(engine.attempt(1).spec.waitLimit()).isEqualTo(wait);
        assertThat(engine.attempt(2).spec.waitLimit()).isZero();
    }

    @Test
    void isTheSameLockForTheSameKeyAndNamespaceWhateverElseIsSet() {
        assertThat(registry.lock(LockRequest.of("k").namespace("n"))).isNotEqualTo(lock);
        assertThat(registry.lock(LockRequest.of("k").maxHold(Duration.ofSeconds(1))))
                .isEqualTo(lock);

        engine.granting();
        lock.lock();
        registry.lock(LockRequest.of("k").waitTime(Duration.ZERO)).lock();
        assertThat(engine.attempts).hasSize(1);
    }

    @Test
    void writesTheDataOfTheRequestWhenTheThreadGetsTheLockAndNotWhenItEntersAgain() {
        engine.granting();
        engine.answer = attempt -> {
            attempt.grant.putAnswer.complete(true);
            return new AcquireOutcome.Granted(attempt.grant);
        };
        LockData data = LockData.of("by me");
        ThreadLock writing = registry.lock(LockRequest.of("k").data(data));
        writing.lock();
        assertThat(grant(0).data).isEqualTo(data);

        grant(0).data = LockData.EMPTY;
        writing.lock();
        assertThat(grant(0).data).isEqualTo(LockData.EMPTY);
    }

    @Test
    void aThreadThatSharesALockIsRefusedTheLockForItselfAlone() {
        engine.granting();
        ThreadLock shared = registry.lock(LockRequest.of("k").mode(LockMode.SHARED));
        shared.lock();
        shared.lock();

        for (ThrowingCallable wanting :
                List.<ThrowingCallable>of(lock::lock, lock::tryLock, () -> lock.tryLock(1, TimeUnit.SECONDS))) {
            thrown(IllegalStateException.class, wanting, "\"k\"", "would wait for itself");
        }
        assertThat(shared.holdCount()).isEqualTo(2);
        assertThat(engine.attempts).hasSize(1);

        shared.unlock();
        shared.unlock();
        lock.lock();
        shared.lock();
        assertThat(engine.attempts).as("who has it alone may share it").hasSize(2);
    }

    @Test
    void aSharedLockThatIsLostIsToldAsLostToWhoWantsItInAnotherWay() {
        engine.granting();
        ThreadLock shared = registry.lock(LockRequest.of("k").mode(LockMode.SHARED));
        shared.lock();
        grant(0).lose();

        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::lock);
        assertThat(lock.tryLock()).as("tells of the loss").isFalse();
        assertThat(lock.tryLock()).as("is acquired anew").isTrue();
        assertThat(engine.attempts).hasSize(2);
        lock.unlock();
        assertThat(shared.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void aPermitThatIsLostIsToldAsLostToWhoWantsTheLockAlone() {
        engine.granting();
        registry.lock(registry.permits("k", 2).request()).lock();
        grant(0).lose();

        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::lockInterruptibly);
    }

    // What it tells

    @Test
    void tellsWhetherAndHowOftenAndByWhichHandleTheCallingThreadHoldsIt() throws Exception {
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.handle()).isEmpty();

        engine.granting();
        lock.lock();
        lock.lock();

        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.holdCount()).isEqualTo(2);
        assertThat(lock.handle()).map(LockHandle::fencingToken).contains(101L);
        assertThat(elsewhere(lock::holdCount)).isZero();
        assertThat(elsewhere(lock::isHeldByCurrentThread)).isFalse();

        grant(0).lose();
        assertThat(lock.isHeldByCurrentThread()).as("an unlock is due").isTrue();
        assertThat(lock.handle()).map(LockHandle::isValid).contains(false);
    }

    @Test
    void closingTheHandleEndsAllHoldsOfTheThread() {
        engine.granting();
        lock.lock();
        lock.lock();

        lock.handle().orElseThrow().close();

        assertThat(grant(0).releases).hasValue(1);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        assertThat(engine.attempts).hasSize(2);
    }

    // Handles that came in another way

    @Test
    void aThreadThatAdoptsAHandleEntersTheLockByItAndReleasesItWithTheLastUnlock() {
        engine.granting();
        LockHandle handle = registry.acquire("k", Duration.ZERO);

        lock.adopt(handle);
        lock.lock();
        assertThat(engine.attempts).hasSize(1);
        assertThat(lock.handle()).containsSame(handle);

        lock.unlock();
        assertThat(handle.isValid()).isTrue();
        lock.unlock();
        assertThat(handle.isValid()).isFalse();
        assertThat(grant(0).releases).hasValue(1);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void aDisownedHandleStaysValidAndIsAdoptedByAnotherThread() throws Exception {
        engine.granting();
        LockHandle handle = registry.acquire("k", Duration.ZERO);
        lock.adopt(handle);
        lock.lock();

        lock.disown();
        assertThat(lock.holdCount()).as("as often as it was locked").isEqualTo(1);
        lock.disown();

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(handle.isValid()).isTrue();
        elsewhere(Executors.callable(() -> {
            lock.adopt(handle);
            lock.unlock();
        }));
        assertThat(handle.isValid()).isFalse();
        thrown(IllegalMonitorStateException.class, lock::disown, "cannot disown it");
    }

    @Test
    void aHandleOnAnotherLockOrBesideAnotherHandleIsNotAdopted() {
        engine.granting();
        LockHandle other = registry.acquire("other", Duration.ZERO);
        refused(() -> lock.adopt(other), "\"other\"", "\"k\"");
        lock.lock();
        LockHandle second = registry.acquire("k", Duration.ZERO);
        assertThatIllegalStateException().isThrownBy(() -> lock.adopt(second)).withMessageContaining("already");
        assertThat(lock.holdCount()).isEqualTo(1);
    }

    @Test
    void aHandleLockedByAnotherThreadIsAdoptedOnlyOnceThatDisownsItOrEnds() throws Exception {
        engine.granting();
        lock.lock();
        LockHandle handle = lock.handle().orElseThrow();
        assertThat(TestThread.running(Executors.callable(() -> lock.adopt(handle)))
                        .failure())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(Thread.currentThread().getName(), "\"k\"", "disown()");

        lock.disown();
        assertThat(elsewhere(() -> {
                    lock.adopt(handle);
                    return lock.holdCount();
                }))
                .isOne();

        AdoptableLock other = (AdoptableLock) registry.lock("other");
        LockHandle leftBehind = elsewhere(() -> {
            other.lock();
            return other.handle().orElseThrow();
        });
        await().pollInSameThread()
                .ignoreException(IllegalStateException.class)
                .untilAsserted(() -> other.adopt(leftBehind));
        assertThat(other.isHeldByCurrentThread()).isTrue();
    }

    @Test
    void aHandleThatIsReleasedOrOfAnotherRegistryIsNotAdopted() {
        engine.granting();
        LockHandle released = registry.acquire("k", Duration.ZERO);
        released.release();
        thrown(LockLostException.class, () -> lock.adopt(released), "released by this handle already");
        LockHandle foreign = new FakeEngine().granting().registry().acquire("k", Duration.ZERO);
        refused(() -> lock.adopt(foreign), "another registry");
        LockHandle own = registry.acquire("k", Duration.ZERO);
        LockHandle wrapped = StandIn.of(LockHandle.class, own, (method, arguments) -> null);
        refused(() -> lock.adopt(wrapped), "another registry");

        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void severalThreadsMayHoldTheLockByOneAdoptedHandle() throws Exception {
        engine.granting();
        LockHandle handle = registry.acquire("k", Duration.ZERO);
        lock.adopt(handle);

        elsewhere(Executors.callable(() -> {
            lock.adopt(handle);
            lock.disown();
        }));
        assertThat(lock.holdCount()).isEqualTo(1);
    }

    @Test
    void aLostHandleIsAdoptedAndTellsOfItsLossAtEachEntry() {
        engine.granting();
        LockHandle handle = registry.acquire("k", Duration.ZERO);
        grant(0).lose();

        lock.adopt(handle);

        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::lock);
        assertThat(lock.tryLock()).isFalse();
    }

    @Test
    void anAdoptedSharedHandleDoesNotGiveTheLockAlone() {
        engine.granting();
        lock.adopt(registry.acquire(LockRequest.of("k").mode(LockMode.SHARED)));

        assertThatIllegalStateException().isThrownBy(lock::lock).withMessageContaining("would wait for itself");
    }

    @Test
    void aWriterThatHasBecomeAReaderDoesNotEnterAsAWriter() {
        engine.granting();
        ThreadLock writer = registry.lock(LockRequest.of("k").downgradable());
        writer.lock();
        // As by a downgrade whose caller was interrupted.
        grant(0).kind = Kind.READ;

        assertThatIllegalStateException().isThrownBy(writer::lock).withMessageContaining("would wait for itself");
        writer.unlock();
    }

    private ThreadLock view(ThreadHolds holds, String key) {
        LockRequest request = LockRequest.of(key);
        return new ReentrantLockView(
                new Admission(new RequestDefaults(Duration.ofMinutes(1), false, Duration.ZERO), 0, 200),
                new Acquisitions(
                        engine,
                        new RegistryThreads(null, task -> task).ofUsers(),
                        Fences.NONE,
                        new UnawaitedReleases(8),
                        null),
                holds,
                request,
                Requests.spec(request, LockRequest.FOREVER));
    }

    /** In another thread, which ends then. */
    private static <T> T elsewhere(Callable<T> call) throws Exception {
        return TestThread.running(call).value();
    }

    private FakeGrant grant(int attempt) {
        return engine.attempt(attempt).grant;
    }
}
