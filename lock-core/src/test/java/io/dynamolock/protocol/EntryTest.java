package io.dynamolock.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.internal.protocol.SessionId;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntryTest {

    private static final SessionId SESSION = SessionId.of(-1);

    @ParameterizedTest
    @CsvSource({"1, 1, __________1:1", "63, 64, __________" + "_:10", "1000000, 4095, __________3q90:__"})
    void anEntryIsReadAsItWasWritten(long number, int callers, String text) {
        Entry entry = new Entry(new BlockId(SESSION, number), callers);

        assertThat(entry).hasToString(text);
        assertThat(Entry.parse(text)).isEqualTo(entry);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 64, 1L << 24, (1L << 30) - 1, 1L << 30, (1L << 36) - 1})
    void noEntryIsLongerThanEighteenBytesHoweverManyBlocksASessionHas(long number) {
        Entry fullest = new Entry(new BlockId(SESSION, number), Entry.mostCallers(number));

        assertThat(fullest.toString().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(18);
        assertThat(Entry.parse(fullest.toString())).isEqualTo(fullest);
    }

    @Test
    void aBlockHasAtMostAsManyCallersAsItsDigitsCanTell() {
        assertThat(Entry.mostCallers(1)).isEqualTo(4_095);
        assertThat(Entry.mostCallers((1L << 30) - 1)).isEqualTo(4_095);
        assertThat(Entry.mostCallers(1L << 30)).isEqualTo(63);

        assertThatIllegalArgumentException().isThrownBy(() -> new Entry(new BlockId(SESSION, 1), 4_096));
        assertThatIllegalArgumentException().isThrownBy(() -> new Entry(new BlockId(SESSION, 1L << 30), 64));
        assertThatIllegalArgumentException().isThrownBy(() -> new Entry(new BlockId(SESSION, 1), 0));
    }

    @Test
    void whatAnEntryBeginsWithStaysAsItGrowsAndIsNoOtherBlocks() {
        Entry entry = new Entry(new BlockId(SESSION, 1), 2);
        Entry sameFirstDigit = new Entry(new BlockId(SESSION, 64), 2);

        assertThat(entry.toString()).startsWith(Entry.beginning(entry.block()));
        assertThat(entry.grownBy(100).toString()).startsWith(Entry.beginning(entry.block()));
        assertThat(sameFirstDigit.toString())
                .startsWith(entry.block().toString())
                .doesNotStartWith(Entry.beginning(entry.block()));
    }

    @Test
    void aBlockThatGrewIsTheSameBlock() {
        Entry entry = new Entry(new BlockId(SESSION, 1), 2);

        assertThat(entry.grownBy(3)).isEqualTo(new Entry(entry.block(), 5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":1",
                "__________:1",
                "_________1:1",
                "__________1",
                "__________1:",
                "__________1:0",
                "__________1;;1",
                "__________1 1",
                "__________0:1",
                "__________1:1:1",
                "__________1:100",
                "__________1:03",
                "__________01:1",
                "__________1:4000003",
                "_________é1:1",
                "__________ 1:1"
            })
    void whatNoStepHasWrittenIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Entry.parse(text));
    }

    @Test
    void aSessionsIdIsTenDigitsOfWhichNoneIsLost() {
        assertThat(SessionId.of(0)).hasToString("0000000000");
        assertThat(SessionId.of(1L << 59)).isNotEqualTo(SessionId.of(0));
        assertThat(SessionId.of(1L << 60)).isEqualTo(SessionId.of(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new SessionId("123456789"));
        assertThatIllegalArgumentException().isThrownBy(() -> new SessionId("123456789é"));
    }

    @Test
    void aBlocksNumberIsReadAsItWasWrittenAndStartsAtOne() {
        BlockId block = new BlockId(SESSION, 4_096);

        assertThat(BlockId.of(SESSION, block.digits())).isEqualTo(block);
        assertThat(block).hasToString(SESSION + block.digits());
        assertThatIllegalArgumentException().isThrownBy(() -> new BlockId(SESSION, 0));
    }
}
