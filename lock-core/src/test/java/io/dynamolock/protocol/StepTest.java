package io.dynamolock.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Answer.Applied;
import io.dynamolock.internal.protocol.Answer.Refused;
import io.dynamolock.internal.protocol.SessionId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StepTest {

    private static final long BASE = 1_000;
    private static final LockData NEW = LockData.of("new");

    private final Entry alice = entry(1, 1);
    private final Entry bob = entry(2, 2);
    private final Entry carol = entry(3, 1);

    @Test
    void anAskTakesTicketsAndTheLastPlace() {
        assertThat(new Step.Ask(bob, BASE, 9).on(LockItem.ABSENT)).isEqualTo(applied(1_002, bob));
        assertThat(new Step.Ask(bob, BASE, 9).on(item(7, alice))).isEqualTo(applied(9, alice, bob));
        assertThat(new Step.Ask(bob, BASE, 9).on(item(7))).isEqualTo(applied(9, bob));
    }

    @Test
    void anAskIsRefusedIfItHasLandedOrTheQueueIsFull() {
        assertThat(new Step.Ask(bob, BASE, 9).on(item(7, alice, bob))).isEqualTo(refused(7, alice, bob));
        assertThat(new Step.Ask(carol, BASE, 3).on(item(7, alice, bob)).isApplied())
                .isTrue();
        assertThat(new Step.Ask(carol, BASE, 2).on(item(7, alice, bob))).isEqualTo(refused(7, alice, bob));
    }

    @Test
    void anAskIfFreeIsRefusedIfAnybodyStandsInTheQueue() {
        assertThat(Step.Ask.ifFree(bob, BASE).on(item(7)).isApplied()).isTrue();
        assertThat(Step.Ask.ifFree(bob, BASE).on(item(7, alice))).isEqualTo(refused(7, alice));
    }

    @Test
    void aBlockGrowsIfItIsLastAndAsItIsKnown() {
        assertThat(new Step.Grow(1, bob, 3).on(item(7, alice, bob))).isEqualTo(applied(10, alice, bob.grownBy(3)));
        assertThat(new Step.Grow(0, alice, 3).on(item(7, alice, bob))).isEqualTo(refused(7, alice, bob));
        assertThat(new Step.Grow(0, bob, 3).on(item(7, bob.grownBy(1)))).isEqualTo(refused(7, bob.grownBy(1)));
        assertThat(new Step.Grow(1, bob, 3).on(item(7, bob))).isEqualTo(refused(7, bob));
    }

    @Test
    void aBlockLeavesFromItsPlace() {
        assertThat(Step.Leave.of(0, alice).on(item(7, alice, bob))).isEqualTo(applied(7, bob));
        assertThat(Step.Leave.of(1, bob).on(item(7, alice, bob, carol))).isEqualTo(applied(7, alice, carol));
        assertThat(Step.Leave.of(1, alice).on(item(7, alice, bob))).isEqualTo(refused(7, alice, bob));
        assertThat(Step.Leave.of(0, alice).on(LockItem.ABSENT)).isEqualTo(new Refused<>(LockItem.ABSENT));
    }

    @Test
    void severalLeaveTogetherFromThePlacesBeforeTheStep() {
        assertThat(leave(Map.of(0, alice, 2, carol)).on(item(7, alice, bob, carol)))
                .isEqualTo(applied(7, bob));
        assertThat(leave(Map.of(0, alice, 1, carol)).on(item(7, alice, bob))).isEqualTo(refused(7, alice, bob));
    }

    @Test
    void oneStepTakesOutOneBlockAtLeastAndNotMoreThanAnExpressionCanName() {
        TreeMap<Integer, Entry> tooMany = new TreeMap<>();
        for (int i = 0; i <= Step.Leave.MOST; i++) {
            tooMany.put(i, alice);
        }

        assertThatIllegalArgumentException().isThrownBy(() -> new Step.Leave(tooMany));
        assertThatIllegalArgumentException().isThrownBy(() -> new Step.Leave(new TreeMap<>()));
    }

    @Test
    void theFirstAndNoOtherIsRenamed() {
        assertThat(new Step.Rename(alice, carol).on(item(7, alice, bob))).isEqualTo(applied(7, carol, bob));
        assertThat(new Step.Rename(bob, carol).on(item(7, alice, bob))).isEqualTo(refused(7, alice, bob));
        assertThat(new Step.Rename(alice, carol).on(item(7))).isEqualTo(refused(7));
    }

    @Test
    void aBlockThatHoldsTheLockBesideOthersIsRenamedWhereItStands() {
        assertThat(new Step.Rename(1, bob, carol).on(item(7, alice, bob))).isEqualTo(applied(7, alice, carol));
        assertThat(new Step.Rename(1, alice, carol).on(item(7, alice, bob))).isEqualTo(refused(7, alice, bob));
    }

    @Test
    void theFirstAskForAPermitSaysHowManyThereAreAndAnotherNumberIsRefused() {
        Entry permit = permit(4);
        Entry other = permit(5);
        LockItem two = new LockItem(8, List.of(alice, permit), 2);

        assertThat(new Step.Ask(permit, BASE, 9, 2).on(item(7, alice))).isEqualTo(new Applied<>(two));
        assertThat(new Step.Ask(other, BASE, 9, 3).on(two)).isEqualTo(new Refused<>(two));
        assertThat(new Step.Ask(other, BASE, 9, 2).on(two).isApplied()).isTrue();
        assertThat(new Step.Ask(bob, BASE, 9).on(two).item().permits()).isEqualTo(2);
    }

    @Test
    void whoAsksForAPermitSaysHowManyThereAreAndNobodyElseDoes() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Step.Ask(permit(4), BASE, 9));
        assertThatIllegalArgumentException().isThrownBy(() -> new Step.Ask(alice, BASE, 9, 1));
    }

    @Test
    void theNumberOfPermitsIsChangedForAll() {
        LockItem two = new LockItem(8, List.of(permit(4)), 2);
        LockItem three = new LockItem(8, List.of(permit(4)), 3);

        assertThat(new Step.Resize(3).on(two)).isEqualTo(new Applied<>(three));
        assertThat(new Step.Resize(3).on(three)).isEqualTo(new Refused<>(three));
        assertThat(new Step.Resize(3).on(LockItem.ABSENT)).isEqualTo(new Applied<>(new LockItem(0, List.of(), 3)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Step.Resize(0));
    }

    private static Entry permit(long number) {
        return new Entry(new BlockId(SessionId.of(1), number), Mode.PERMIT, 1);
    }

    @Test
    void noStepThatHasLandedLandsAgainUnlessItChangesNothing() {
        LockItem before = item(7, alice, bob);
        for (Step step : List.of(
                new Step.Ask(carol, BASE, 9),
                new Step.Grow(1, bob, 1),
                Step.Leave.of(0, alice),
                new Step.Rename(alice, carol),
                new Step.Put(alice, 0, NEW),
                Step.Leave.of(0, alice, NEW))) {
            Answer<LockItem> first = step.on(before);

            assertThat(first.isApplied()).isTrue();
            assertThat(step.on(first.item())).isEqualTo(new Refused<>(first.item()));
        }
        assertThat(new Step.Rename(alice, alice).on(before)).isEqualTo(new Applied<>(before));
    }

    @Test
    void anAskForALockThatMustExistIsRefusedIfThereIsNoItem() {
        Step.Ask ask = new Step.Ask(bob, BASE, 9).ifExists();

        assertThat(ask.on(LockItem.ABSENT)).isEqualTo(new Refused<>(LockItem.ABSENT));
        assertThat(ask.on(item(7))).isEqualTo(applied(9, bob));
        assertThat(ask.on(item(7, alice))).isEqualTo(applied(9, alice, bob));
        assertThat(ask.from(5).on(LockItem.ABSENT).isApplied()).isFalse();
    }

    @Test
    void dataIsPutByTheFirstAndByNoOtherAndOnlyOverWhatItKnows() {
        LockItem before = withData("old", 4, alice, bob);

        assertThat(new Step.Put(alice, 4, NEW).on(before)).isEqualTo(new Applied<>(withData("new", 5, alice, bob)));
        assertThat(new Step.Put(bob, 4, NEW).on(before)).isEqualTo(new Refused<>(before));
        assertThat(new Step.Put(alice.grownBy(1), 4, NEW).on(before)).isEqualTo(new Refused<>(before));
        assertThat(new Step.Put(alice, 3, NEW).on(before)).isEqualTo(new Refused<>(before));
        assertThat(new Step.Put(alice, 4, LockData.EMPTY).on(before).item().data())
                .isEqualTo(LockData.EMPTY);
    }

    @Test
    void whoLeavesOrIsRenamedMayLeaveDataAndElseKeepsWhatIsThere() {
        LockItem before = withData("old", 4, alice, bob);

        assertThat(Step.Leave.of(0, alice, NEW).on(before)).isEqualTo(new Applied<>(withData("new", 5, bob)));
        assertThat(Step.Leave.of(1, alice, NEW).on(before)).isEqualTo(new Refused<>(before));
        assertThat(new Step.Rename(alice, carol, NEW).on(before))
                .isEqualTo(new Applied<>(withData("new", 5, carol, bob)));
        assertThat(new Step.Rename(bob, carol, NEW).on(before)).isEqualTo(new Refused<>(before));
    }

    @Test
    void noOtherStepTouchesTheData() {
        LockItem before = withData("old", 4, alice, bob);

        for (Step step : List.of(
                new Step.Ask(carol, BASE, 9),
                new Step.Grow(1, bob, 1),
                Step.Leave.of(0, alice),
                new Step.Rename(alice, carol))) {
            Answer<LockItem> answer = step.on(before);

            assertThat(answer.isApplied()).isTrue();
            assertThat(answer.item().data()).isEqualTo(before.data());
            assertThat(answer.item().puts()).isEqualTo(4);
        }
    }

    private static LockItem withData(String text, long puts, Entry... queue) {
        return new LockItem(7, List.of(queue), 0, LockData.of(text), puts);
    }

    private static Step leave(Map<Integer, Entry> entries) {
        return new Step.Leave(new TreeMap<>(entries));
    }

    private static Entry entry(long number, int callers) {
        return new Entry(new BlockId(SessionId.of(1), number), callers);
    }

    private static LockItem item(long tail, Entry... queue) {
        return new LockItem(tail, List.of(queue));
    }

    private static Answer<LockItem> applied(long tail, Entry... queue) {
        return new Applied<>(item(tail, queue));
    }

    private static Answer<LockItem> refused(long tail, Entry... queue) {
        return new Refused<>(item(tail, queue));
    }
}
