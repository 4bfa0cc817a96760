package io.dynamolock.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExpiryTest {

    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration SHORTEST = DAY;
    private static final Instant OWN = NOW.plus(SHORTEST).plus(DAY);
    private static final Entry HELD = new Entry.OfSession(SessionId.of(1), 1, Mode.EXCLUSIVE, 1);
    private static final Entry.Kept KEPT = new Entry.Kept(Mode.EXCLUSIVE, NOW.plus(Duration.ofDays(5)));

    @Test
    void anEditWritesALaterTimeButNeverAnEarlierOne() {
        assertThat(written(item(OWN.minus(HOUR).minusSeconds(1)))).isEqualTo(OWN);
        assertThat(written(item(OWN.minus(HOUR)))).as("not worth it").isNull();
        assertThat(written(item(OWN.plusSeconds(1)))).isNull();
        assertThat(written(item(NOW.minus(DAY))))
                .as("an item that is about to go")
                .isEqualTo(OWN);
        assertThat(written(item(null))).as("an item without a time").isEqualTo(OWN);
    }

    @Test
    void anEditThatKnowsNoItemLeavesTheTimeToTheStore() {
        assertThat(written(LockItem.ABSENT)).isNull();
    }

    @Test
    void anItemLastsADayLongerThanItsKeptEntries() {
        Instant end = KEPT.until().plus(DAY);

        assertThat(Expiry.toWrite(item(OWN, HELD), KEPT, NOW, SHORTEST)).isAfterOrEqualTo(end);
        assertThat(written(item(OWN, KEPT, HELD))).isAfterOrEqualTo(end);
        assertThat(written(item(end, KEPT))).isNull();
        assertThat(Expiry.toWrite(item(OWN, HELD), KEPT, NOW, Duration.ofDays(7)))
                .isEqualTo(NOW.plus(Duration.ofDays(8)));
    }

    @Test
    void anItemInUseMustHaveADayLeft() {
        assertThat(Expiry.isTooSoon(item(NOW.plus(DAY)), true, NOW)).isFalse();
        assertThat(Expiry.isTooSoon(item(NOW.plus(DAY).minusSeconds(1)), true, NOW))
                .isTrue();
        assertThat(Expiry.isTooSoon(item(NOW.minus(DAY)), false, NOW))
                .as("unused")
                .isFalse();
        assertThat(Expiry.isTooSoon(item(null), true, NOW)).isFalse();
        assertThat(Expiry.isTooSoon(LockItem.ABSENT, true, NOW)).isFalse();
    }

    @Test
    void anItemWithAKeptEntryMustLastADayLongerThanItEvenIfUnused() {
        Instant end = KEPT.until().plus(DAY);

        assertThat(Expiry.isTooSoon(item(end, HELD, KEPT), false, NOW)).isFalse();
        assertThat(Expiry.isTooSoon(item(end.minusSeconds(1), HELD, KEPT), false, NOW))
                .isTrue();
    }

    /** Otherwise a process would write without end. */
    @Test
    void whatIsWrittenIsNeverTooSoon() {
        Entry.Kept odd = new Entry.Kept(Mode.SHARED, KEPT.until().plusNanos(999_999_999));
        for (Entry.Kept kept : List.of(KEPT, odd)) {
            for (Instant before = NOW;
                    before.isBefore(NOW.plus(Duration.ofDays(9)));
                    before = before.plusSeconds(977)) {
                LockItem seen = item(before, kept);
                Instant written = written(seen);
                LockItem after = item(written == null ? before : written, kept);
                assertThat(Expiry.isTooSoon(after, true, NOW)).as("%s", seen).isFalse();
            }
        }
    }

    private static @Nullable Instant written(LockItem seen) {
        return Expiry.toWrite(seen, null, NOW, SHORTEST);
    }

    private static LockItem item(@Nullable Instant expiresAt, Entry... queue) {
        return new LockItem(1, List.of(queue), 0, LockData.EMPTY, expiresAt);
    }
}
