package io.dynamolock.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntryTest {

    private static final SessionId SESSION = SessionId.of(0x123456789ABCDEFL);
    private static final SessionId OTHER = SessionId.of(77);

    static Stream<Entry> entries() {
        return Stream.of(
                new Entry.OfSession(SESSION, 1, Mode.EXCLUSIVE, 1),
                new Entry.OfSession(SESSION, 64, Mode.SHARED, 4095),
                new Entry.OfSession(SESSION, (1L << 30) - 1, Mode.PERMIT, 4095),
                new Entry.OfSession(SESSION, 1L << 30, Mode.EXCLUSIVE, 63),
                new Entry.Kept(Mode.EXCLUSIVE, Instant.EPOCH),
                new Entry.Kept(Mode.SHARED, Instant.parse("2026-11-24T12:00:00.123Z")));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void anEntryIsReadAsItWasWrittenAndFitsInto18Bytes(Entry entry) {
        assertThat(Entry.parse(entry.text())).isEqualTo(entry);
        assertThat(entry.text().length()).isLessThanOrEqualTo(Entry.MOST_BYTES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "!",
                "!:",
                "0123456789",
                "0123456789:1",
                "01234567891",
                "01234567891:",
                "01234567891:0",
                "01234567890:1",
                "012345678901:01",
                "01234567891;1",
                "0123456789 1:1",
                "01234567891:12345678",
                "!?123",
                "!:0123"
            })
    void anyOtherTextIsRefusedByAMessageThatDoesNotRepeatIt(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Entry.parse(text))
                .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(256));
    }

    @Test
    void exclusiveEntriesAreCompatibleOnlyWithinASession() {
        Entry one = new Entry.OfSession(SESSION, 1, Mode.EXCLUSIVE, 1);
        Entry ofTheSame = new Entry.OfSession(SESSION, 2, Mode.EXCLUSIVE, 3);
        Entry ofAnother = new Entry.OfSession(OTHER, 2, Mode.EXCLUSIVE, 3);
        Entry shared = new Entry.OfSession(SESSION, 2, Mode.SHARED, 3);
        assertThat(Stream.of(ofTheSame, ofAnother, shared).filter(one::isCompatibleWith))
                .containsExactly(ofTheSame);
    }

    @Test
    void aKeptEntryIsCompatibleOnlyIfItIsSharedAndOnlyWithReaders() {
        Entry kept = new Entry.Kept(Mode.EXCLUSIVE, Instant.EPOCH);
        assertThat(kept.isCompatibleWith(new Entry.Kept(Mode.EXCLUSIVE, Instant.EPOCH)))
                .isFalse();
        assertThat(new Entry.Kept(Mode.SHARED, Instant.EPOCH)
                        .isCompatibleWith(new Entry.OfSession(OTHER, 1, Mode.SHARED, 1)))
                .isTrue();
    }
}
