package io.dynamolock.internal.protocol;

import static io.dynamolock.internal.protocol.Edits.BASE;
import static io.dynamolock.internal.protocol.Edits.append;
import static io.dynamolock.internal.protocol.Edits.edit;
import static io.dynamolock.internal.protocol.Edits.permits;
import static io.dynamolock.internal.protocol.Edits.reissue;
import static io.dynamolock.internal.protocol.Edits.remove;
import static io.dynamolock.internal.testing.Thrown.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.data.LockData;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EditTest {

    private static final SessionId ONE = SessionId.of(1);
    private static final SessionId TWO = SessionId.of(2);
    private static final Entry A = of(ONE, 1, Mode.EXCLUSIVE, 2);
    private static final Entry B = of(TWO, 1, Mode.EXCLUSIVE, 3);
    private static final Entry C = of(ONE, 2, Mode.EXCLUSIVE, 1);

    @Test
    void anAppendCreatesTheItemAndTakesTickets() {
        LockItem made = applied(append(10, A, B), LockItem.ABSENT);

        assertThat(made).isEqualTo(new LockItem(BASE + 5, List.of(A, B), 0, LockData.EMPTY));
        assertThat(made.lastTicket(0)).isEqualTo(BASE + 2);
        assertThat(made.lastTicket(1)).isEqualTo(BASE + 5);
    }

    @Test
    void everyAppliedEditRaisesTheTail() {
        LockItem item = applied(append(10, A, B), LockItem.ABSENT);

        assertThat(applied(remove(Map.of(0, A)), item).tail()).isEqualTo(item.tail() + 1);
        assertThat(applied(reissue(0, A, C, null), item).tail()).isEqualTo(item.tail() + 1);
        assertThat(applied(permits(4), item).tail()).isEqualTo(item.tail() + 1);
    }

    @Test
    void oneEditRemovesReissuesAndAppendsByThePlacesBeforeIt() {
        LockItem item = new LockItem(50, List.of(A, B, C), 0, LockData.EMPTY);
        Entry reissued = of(TWO, 9, Mode.SHARED, 1);
        Entry appended = of(ONE, 7, Mode.PERMIT, 1);
        Edit.Reissue inBetween = new Edit.Reissue(1, B, reissued);
        Edit edit = edit(Map.of(0, A, 2, C), inBetween, 200, 3, true, LockData.of("left"), 0, appended);

        assertThat(applied(edit, item))
                .isEqualTo(new LockItem(51, List.of(reissued, appended), 3, LockData.of("left")));
    }

    @Test
    void anEditOfAMissingEntryIsRefusedAsAWhole() {
        LockItem item = new LockItem(50, List.of(A, B), 0, LockData.EMPTY);

        assertThat(remove(Map.of(1, A)).on(item)).isEqualTo(new Answer<>(item, false));
        assertThat(remove(Map.of(0, A, 2, C)).on(item)).isEqualTo(new Answer<>(item, false));
        assertThat(reissue(5, A, C, null).on(item).isApplied()).isFalse();
    }

    @Test
    void removedEntriesMakeRoomForTheAppendOfTheSameEdit() {
        LockItem full = new LockItem(50, List.of(A, B), 0, LockData.EMPTY);

        assertThat(append(2, C).on(full).isApplied()).isFalse();
        assertThat(append(3, C).on(full).isApplied()).isTrue();
        Edit instead = edit(Map.of(0, A), null, 2, 0, true, null, 0, C);
        assertThat(applied(instead, full).queue()).containsExactly(B, C);
    }

    @Test
    void anEditThatWasDerivedFromAnItemNeverCreatesANewItem() {
        Edit edit = edit(Map.of(), null, 200, 0, true, null, 0, A);

        assertThat(edit.on(LockItem.ABSENT)).isEqualTo(new Answer<>(LockItem.ABSENT, false));
    }

    @Test
    void theFirstPermitSetsTheNumberOfPermitsAndAnotherNumberIsRefused() {
        Entry permit = of(ONE, 1, Mode.PERMIT, 1);
        LockItem item = applied(permit(permit, 3), LockItem.ABSENT);
        assertThat(item.permits()).isEqualTo(3);

        assertThat(permit(of(ONE, 2, Mode.PERMIT, 1), 4).on(item).isApplied()).isFalse();
        LockItem changed = applied(permits(4), item);
        assertThat(permit(of(ONE, 2, Mode.PERMIT, 1), 4).on(changed).isApplied())
                .isTrue();
    }

    @Test
    void holdersAreTheCompatibleEntriesAtTheFront() {
        Entry read = of(TWO, 3, Mode.SHARED, 1);
        assertThat(holders(0)).isZero();
        assertThat(holders(0, A, C, B)).isEqualTo(2);
        assertThat(holders(0, A, read, C)).isOne();
        assertThat(holders(0, read, of(ONE, 4, Mode.SHARED, 9), A, read)).isEqualTo(2);
        assertThat(holders(0, new Entry.Kept(Mode.EXCLUSIVE, Instant.EPOCH), A)).isOne();
        Entry[] five = IntStream.rangeClosed(1, 5)
                .mapToObj(number -> of(ONE, number, Mode.PERMIT, 1))
                .toArray(Entry[]::new);
        assertThat(holders(3, five)).isEqualTo(3);
        assertThat(holders(0, five)).isOne();
    }

    @Test
    void ticketsNeverFallWhateverEntriesAreRemovedOrAppended() {
        LockItem item = applied(append(10, A, B), LockItem.ABSENT);
        long before = item.lastTicket(1);

        LockItem alone = applied(remove(Map.of(0, A)), item);
        LockItem longer = applied(append(10, C), alone);

        assertThat(alone.lastTicket(0)).isGreaterThanOrEqualTo(before);
        assertThat(longer.lastTicket(0)).isGreaterThanOrEqualTo(alone.lastTicket(0));
        assertThat(alone.lastTicket(0) - 3).as("before B's first ticket").isGreaterThanOrEqualTo(item.lastTicket(0));
    }

    @Test
    void anEditThatContradictsItselfCannotBeMade() {
        assertThatIllegalArgumentException().isThrownBy(() -> append(1, A, B));
        TreeMap<Integer, Entry> many = new TreeMap<>();
        IntStream.rangeClosed(0, Edit.MOST_REMOVED).forEach(index -> many.put(index, A));
        assertThatIllegalArgumentException().isThrownBy(() -> remove(many));
        refused(() -> edit(Map.of(0, A), new Edit.Reissue(0, A, C), 0, 0, true, null, 0));
    }

    private static Entry of(SessionId session, long number, Mode mode, int slots) {
        return new Entry.OfSession(session, number, mode, slots);
    }

    private static int holders(int permits, Entry... queue) {
        return new LockItem(1, List.of(queue), permits, LockData.EMPTY).holders();
    }

    private static Edit permit(Entry entry, int permits) {
        return edit(Map.of(), null, 200, permits, false, null, 0, entry);
    }

    private static LockItem applied(Edit edit, LockItem item) {
        assertThat(edit.on(item).isApplied()).isTrue();
        return edit.on(item).item();
    }
}
