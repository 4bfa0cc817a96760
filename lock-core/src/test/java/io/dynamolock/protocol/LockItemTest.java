package io.dynamolock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.SessionId;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockItemTest {

    private static final SessionId SESSION = SessionId.of(1);

    private final Entry three = entry(1, 3);
    private final Entry one = entry(2, 1);
    private final Entry two = entry(3, 2);
    private final LockItem item = new LockItem(106, List.of(three, one, two));

    @Test
    void theFirstHoldsTheLock() {
        assertThat(item.first()).isEqualTo(three);
        assertThat(LockItem.ABSENT.first()).isNull();
    }

    @Test
    void aBlockIsFoundWhereItStandsHoweverMuchItGrew() {
        LockItem grown = new LockItem(107, List.of(three, one, two.grownBy(1)));

        assertThat(grown.indexOf(two.block())).isEqualTo(2);
        assertThat(grown.indexOf(three.block())).isZero();
        assertThat(grown.indexOf(new BlockId(SESSION, 9))).isEqualTo(-1);
    }

    @Test
    void ticketsAreCountedBackFromTheLastIssued() {
        assertThat(item.lastTicket(0)).isEqualTo(103);
        assertThat(item.lastTicket(1)).isEqualTo(104);
        assertThat(item.lastTicket(2)).isEqualTo(106);
    }

    @Test
    void theCallersBeforeAPlaceAreThoseOfAllBlocksBefore() {
        assertThat(item.callersBefore(0)).isZero();
        assertThat(item.callersBefore(1)).isEqualTo(3);
        assertThat(item.callersBefore(2)).isEqualTo(4);
    }

    private static Entry entry(long number, int callers) {
        return new Entry(new BlockId(SESSION, number), callers);
    }
}
