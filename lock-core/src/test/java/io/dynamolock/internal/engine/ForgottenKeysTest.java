package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stays in a process of keys that nobody there wants any more. */
class ForgottenKeysTest {

    private static final int KEYS = 6_000;

    private final Bench bench = new Bench();

    @Test
    void ofThousandsOfKeysThatWereWaitedForAProcessRemembersABoundedNumber() {
        LockEngine process = bench.processWithSession();
        List<SessionId> ahead = Sessions.begun(1, Duration.ofHours(1), bench);
        for (int i = 0; i < KEYS; i++) {
            LockKey key = new LockKey("key-" + i, "default");
            Sessions.queue(key, ahead, bench);
            process.acquire(Bench.exclusive(key, Duration.ofMillis(500)));
        }
        bench.advanceMillis(300);
        assertThat(bench.locksRememberedBy(process)).isGreaterThanOrEqualTo(KEYS);

        bench.time.advance(Bench.LEASE.multipliedBy(2));

        assertThat(bench.locksRememberedBy(process)).isZero();
        assertThat(bench.waitsBehindNobody(process)).isTrue();
        assertThat(bench.rememberedOfIdleLocksBy(process)).isBetween(1_000, 1_024 + 4_096);
    }
}
