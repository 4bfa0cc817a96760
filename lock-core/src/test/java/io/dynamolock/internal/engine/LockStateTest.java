package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An order of answers that no simulation has come upon. */
class LockStateTest {

    private static final EngineSettings SETTINGS = TestSettings.of(Bench.LEASE);

    private final LockState state = new LockState(
            Bench.KEY, SETTINGS, LockState.Seen.NOTHING, new Peers(SETTINGS, SETTINGS.detection()), () -> 1_000);

    @Test
    void anOlderConsistentAnswerMovesNothingBackwards() {
        happens(0, new Event.SessionBegan(SessionId.of(1), () -> 1));
        SentEdit append = happens(2, new Event.Arrived(new Waiter(Bench.exclusive(), 1, 2))).stream()
                .filter(Effect.SendEdit.class::isInstance)
                .map(effect -> ((Effect.SendEdit) effect).edit())
                .findFirst()
                .orElseThrow();
        LockItem item = append.edit().on(LockItem.ABSENT).item();
        assertThat(happens(8, new Event.Edited(append, item, true))).anyMatch(Effect.Granted.class::isInstance);

        List<Effect> effects = happens(9, new Event.Read(new SentRead(true, 7_000_000), LockItem.ABSENT));

        assertThat(effects).isEmpty();
    }

    private List<Effect> happens(long millis, Event event) {
        Duration passed = Duration.ofMillis(millis);
        return state.on(List.of(event), new Now(passed.toNanos(), Instant.EPOCH.plus(passed), true));
    }
}
