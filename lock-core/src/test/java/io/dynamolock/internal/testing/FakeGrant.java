package io.dynamolock.internal.testing;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.HoldLimits;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.ReleaseTerms;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A grant that a test loses, and whose release it answers. */
public final class FakeGrant implements Grant {

    public static final Entry ENTRY = new Entry.OfSession(SessionId.of(1), 1, Mode.EXCLUSIVE, 1);
    public static final Instant SINCE = Instant.parse("2026-01-02T03:04:00Z");

    private final LockKey key;
    private final String name;
    private final long number;
    public final AtomicInteger releases = new AtomicInteger();
    /** How many of the releases nobody awaits. */
    public final AtomicInteger unawaitedReleases = new AtomicInteger();

    public volatile List<Runnable> lossCallbacks = new CopyOnWriteArrayList<>();
    public final CompletableFuture<Boolean> releaseAnswer = new CompletableFuture<>();
    public final List<Runnable> expiryCallbacks = new CopyOnWriteArrayList<>();
    public final CompletableFuture<Boolean> putAnswer = new CompletableFuture<>();
    public volatile LockData data = LockData.EMPTY;
    public volatile boolean answersRelease = true;
    public volatile boolean isFoundMissingAtRelease;
    public volatile Kind kind = Kind.EXCLUSIVE;
    public volatile boolean mayGoOn;
    public volatile HoldLimits limits = new HoldLimits(null, null);
    /** How many changes come too late, because another thread has made one. */
    public int refusedLimits;

    private volatile boolean valid = true;
    private volatile boolean lost;
    private volatile long thread;
    public volatile String caller = "";
    /** How the hold is to end. */
    public volatile ReleaseTerms release = ReleaseTerms.AWAITED;

    public FakeGrant(LockKey key, long number) {
        this(key, key.namespace(), number);
    }

    public FakeGrant(LockKey key, String name, long number) {
        this.key = key;
        this.name = name;
        this.number = number;
    }

    public void lose() {
        valid = false;
        lost = true;
        lossCallbacks.forEach(Runnable::run);
    }

    @Override
    public AcquireSpec spec() {
        return new AcquireSpec(key, name, AcquireSpec.FOREVER, null, null, kind, 0, false, caller, release);
    }

    @Override
    public Kind kind() {
        return kind;
    }

    @Override
    public CompletableFuture<Boolean> downgrade() {
        if (kind != Kind.WRITE) {
            throw new IllegalStateException("held as " + kind);
        }
        if (mayGoOn) {
            kind = Kind.READ;
        }
        return CompletableFuture.completedFuture(mayGoOn);
    }

    @Override
    public Entry entry() {
        return ENTRY;
    }

    @Override
    public long ticket() {
        return number;
    }

    @Override
    public Instant since() {
        return SINCE;
    }

    @Override
    public Duration held() {
        return Duration.ofSeconds(3);
    }

    @Override
    public HoldLimits limits() {
        return limits;
    }

    @Override
    public boolean limit(HoldLimits before, HoldLimits after) {
        boolean isChanged = valid && refusedLimits-- <= 0;
        limits = isChanged ? after : limits;
        return isChanged;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public Optional<LossReason> loss() {
        return lost ? Optional.of(LossReason.MAX_HOLD) : Optional.empty();
    }

    @Override
    public Duration remaining() {
        return valid ? Duration.ofSeconds(17) : Duration.ZERO;
    }

    @Override
    public Optional<Entry> fence() {
        return valid ? Optional.of(ENTRY) : Optional.empty();
    }

    @Override
    public LockData data() {
        return data;
    }

    @Override
    public CompletableFuture<Boolean> putData(LockData next) {
        data = next;
        return putAnswer;
    }

    @Override
    public void onExpiring(Duration before, Runnable callback) {
        expiryCallbacks.add(callback);
    }

    @Override
    public void onLost(Runnable callback) {
        lossCallbacks.add(callback);
        if (lost) {
            callback.run();
        }
    }

    @Override
    public CompletableFuture<Boolean> release(@Nullable LockData left) {
        data = left == null ? data : left;
        boolean stillOurs = !lost && !isFoundMissingAtRelease;
        valid = false;
        releases.incrementAndGet();
        if (isFoundMissingAtRelease && !lost) {
            lose();
        }
        if (answersRelease) {
            releaseAnswer.complete(stillOurs);
        }
        return releaseAnswer;
    }

    @Override
    public CompletableFuture<Boolean> releaseUnawaited() {
        unawaitedReleases.incrementAndGet();
        return release();
    }

    @Override
    public CompletableFuture<Boolean> giveBack() {
        limits = new HoldLimits(limits.maxHold(), null);
        return release();
    }

    @Override
    public void takenBy(long id) {
        thread = id;
    }

    @Override
    public long takenBy() {
        return thread;
    }
}
