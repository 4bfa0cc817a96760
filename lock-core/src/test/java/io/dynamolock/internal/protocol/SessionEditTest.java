package io.dynamolock.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionEditTest {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final LockKey KEY = new LockKey("a/b|c", "name");
    private static final Notice NOTICE = new Notice(Notice.Wish.EVICT, KEY, 70);
    private static final Optional<SessionItem> BEGUN = new SessionEdit.Begin(LEASE, "me", Instant.EPOCH)
            .on(Optional.empty())
            .item();

    private static SessionEdit beat(long number) {
        return new SessionEdit.Heartbeat(number, Set.of(), Instant.EPOCH);
    }

    @Test
    void aSessionBeginsOnlyOnce() {
        assertThat(BEGUN).contains(new SessionItem(0, LEASE, "me", Instant.EPOCH, Set.of()));
        assertThat(new SessionEdit.Begin(LEASE, "you", Instant.EPOCH).on(BEGUN).isApplied())
                .isFalse();
    }

    @Test
    void aLateHeartbeatIsRefusedAndShowsThatTheSessionLives() {
        Optional<SessionItem> later = new SessionEdit.Heartbeat(5, Set.of(), Instant.EPOCH.plusSeconds(9))
                .on(BEGUN)
                .item();

        assertThat(beat(4).on(later).isApplied()).isFalse();
        assertThat(beat(4).on(later).item()).isEqualTo(later);
        assertThat(beat(1).on(Optional.empty()).isApplied()).isFalse();
    }

    @Test
    void aNoticeStaysUntilAHeartbeatRemovesIt() {
        Optional<SessionItem> noticed = new SessionEdit.Notify(NOTICE).on(BEGUN).item();
        assertThat(noticed.orElseThrow().notices()).containsExactly(NOTICE.text());

        Optional<SessionItem> beaten = beat(1).on(noticed).item();
        assertThat(beaten.orElseThrow().notices()).containsExactly(NOTICE.text());
        assertThat(new SessionEdit.Heartbeat(2, Set.of(NOTICE.text()), Instant.EPOCH)
                        .on(beaten)
                        .item()
                        .orElseThrow()
                        .notices())
                .isEmpty();
    }

    @Test
    void aSessionIsExpiredOnlyIfItStillShowsTheHeartbeatThatWasSeen() {
        assertThat(new SessionEdit.Expire(1).on(BEGUN).isApplied()).isFalse();
        assertThat(new SessionEdit.Expire(0).on(BEGUN).item()).isEmpty();
        assertThat(new SessionEdit.Expire(0).on(Optional.empty()).isApplied()).isTrue();
        assertThat(new SessionEdit.End().on(BEGUN).item()).isEmpty();
    }

    @Test
    void aNoticeIsReadAsItWasWritten() {
        assertThat(Notice.read(NOTICE.text())).contains(NOTICE);
        Notice question = new Notice(Notice.Wish.TAKE_OUT_IF_UNWANTED, new LockKey("", "n"), Long.MAX_VALUE >> 8);
        assertThat(Notice.read(question.text())).contains(question);
        Notice named = new Notice(Notice.Wish.EVICT, new LockKey("a@b|c", "n"), 5, "anna@example.org");
        assertThat(named.text()).isEqualTo("!5@anna@example.org|n/a@b|c");
        assertThat(Notice.read(named.text())).contains(named);
    }

    @Test
    void aNameCannotForgeANoticeNorFillTheItem() {
        String forged = "x|n/k\n" + (char) 0xD800 + "y".repeat(100);
        Notice notice = new Notice(Notice.Wish.EVICT, KEY, 5, forged);
        assertThat(notice.by()).startsWith("xn/ky").hasSize(64);
        assertThat(Notice.read(notice.text())).contains(notice);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?",
                "?1",
                "?|n/k",
                "?1|nk",
                "*1|n/k",
                "?01|n/k",
                "?0|n/k",
                "!1 |n/k",
                "!1@|n/k",
                "?12345678901|n/k"
            })
    void anyOtherTextIsNoNotice(String text) {
        assertThat(Notice.read(text)).isEmpty();
    }
}
