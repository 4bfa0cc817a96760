package io.dynamolock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.chaos.HandmadeHistory.Section;
import org.junit.jupiter.api.Test;

/** Handmade histories: a good one that the checker accepts, and for each promise those that break it. */
class CheckerTest {

    private final HandmadeHistory history = new HandmadeHistory();

    @Test
    void turnsThatFollowEachOtherAreAccepted() {
        history.section("a", "a-1").token(1).from(100).to(200);
        history.section("b", "b-1").token(2).from(210).to(300);
        history.section("a", "a-2").token(3).from(310).to(400);

        assertThat(history.verdict().violations()).isEmpty();
    }

    // One valid holder

    @Test
    void twoHoldersAtATimeAreFound() {
        history.section("a", "a-1").token(1).from(100).to(200);
        history.section("b", "b-1").token(2).from(190).to(300);

        assertThat(history.verdict().brokenRules()).contains("one valid holder");
    }

    @Test
    void aLongHoldIsHeldAgainstEveryLaterOne() {
        history.section("a", "a-1").token(1).from(100).to(900);
        history.section("b", "b-1").token(2).from(910).to(920);
        history.section("c", "c-1").token(3).from(500).to(510);

        assertThat(history.verdict().brokenRules()).contains("one valid holder");
    }

    @Test
    void theTimeThatAKilledHolderWasPromisedIsHeldAgainstItsSuccessor() {
        history.heldAndNeverReleased("a", "a-1", 1, 120, 400);
        history.section("b", "b-1").token(2).from(519).to(600);

        assertThat(history.verdict().brokenRules()).containsExactly("one valid holder");
    }

    @Test
    void aSuccessorAfterThatTimeIsRight() {
        history.heldAndNeverReleased("a", "a-1", 1, 120, 400);
        history.section("b", "b-1").token(2).from(521).to(600);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aClosedRegistryHoldsNothingAnyMore() {
        history.heldAndNeverReleased("a", "a-1", 1, 120, 400);
        history.event(200, "a", "closing");
        history.section("b", "b-1").token(2).from(210).to(600);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aValidHolderThatTheTableDoesNotNameIsFound() {
        history.section("a", "a-1").token(1).from(100).to(200).holderInTable("b", 1);

        assertThat(history.verdict().brokenRules()).containsExactly("one valid holder");
    }

    @Test
    void aValidHolderThatTheTableDoesNotServeYetIsFound() {
        history.section("a", "a-1").token(5).from(100).to(200).holderInTable("a", 4);

        assertThat(history.verdict().brokenRules()).containsExactly("one valid holder");
    }

    // Numbers rise

    @Test
    void aNumberThatIsGrantedTwiceIsFound() {
        history.section("a", "a-1").token(1).from(100).to(200);
        history.section("b", "b-1").token(1).from(210).to(300);

        assertThat(history.verdict().brokenRules()).contains("numbers rise");
    }

    @Test
    void aNumberBelowAnEarlierHoldersIsFound() {
        // Both had asked before either was granted.
        history.section("a", "a-1").token(2).asked(10).from(100).to(200);
        history.section("b", "b-1").token(1).asked(10).from(210).to(300);

        assertThat(history.verdict().brokenRules()).containsExactly("numbers rise");
    }

    @Test
    void aNumberBelowThatOfAnyGrantBeforeTheQuestionIsFoundEvenIfTheLockWasLostByThen() {
        history.section("a", "a-1").token(2).from(100).to(200);
        history.lostBeforeItHeard("b", "b-1", 1, 210, 300);

        assertThat(history.verdict().brokenRules()).containsExactly("numbers rise");
    }

    @Test
    void whoHearsOfItsGrantTooLateMayHearInAnyOrder() {
        history.lostBeforeItHeard("b", "b-1", 1, 10, 300);
        history.section("a", "a-1").token(2).asked(20).from(100).to(200);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aHolderThatTheFenceAloneRefusesIsFound() {
        history.section("a", "a-1")
                .token(1)
                .from(100)
                .to(200)
                .fenced("initial", "REFUSED", "None,ConditionalCheckFailed");

        assertThat(history.verdict().brokenRules()).containsExactly("numbers rise");
    }

    // First come, first served

    @Test
    void aCallerWhoOvertakesAnotherOfItsProcessIsFound() {
        history.section("a", "a-1").token(2).asked(10).from(300).to(400);
        history.section("a", "a-2").token(1).asked(50).from(100).to(200);

        assertThat(history.verdict().brokenRules()).containsExactly("first come, first served");
    }

    @Test
    void aCallerThatWasOvertakenIsFoundThoughItsNumberHasChanged() {
        history.section("a", "a-1").token(3).queued(1).asked(10).from(300).to(400);
        history.section("a", "a-2").token(2).asked(50).from(100).to(200);

        assertThat(history.verdict().brokenRules()).containsExactly("first come, first served");
    }

    @Test
    void callersOfOtherProcessesAndThoseWhoAskAtTheSameTimeHaveNoOrderAmongThem() {
        history.section("a", "a-1").token(3).asked(10).from(500).to(600);
        history.section("b", "b-1").token(2).asked(50).from(300).to(400);
        // It had begun to ask before the first one's question was in.
        history.section("a", "a-2").token(1).asked(11).from(100).to(200);

        assertThat(history.verdict().violations()).isEmpty();
    }

    // Losses are told

    @Test
    void aReleaseThatDeniesALossIsFound() {
        Section section =
                history.section("a", "a-1").token(1).from(100).validFor(50).to(200);
        section.released(true);

        assertThat(history.verdict().brokenRules()).containsExactly("losses are told");
    }

    @Test
    void aLossThatNobodyTellsIsFound() {
        history.section("a", "a-1").token(1).from(100).validFor(50).to(200).released(false);
        history.finished("a");

        assertThat(history.verdict().brokenRules()).containsExactly("losses are told");
    }

    @Test
    void aLossThatIsToldIsAccepted() {
        history.section("a", "a-1").token(1).from(100).validFor(50).to(200).released(false);
        history.event(250, "a", "lost", "id", "a-1", "token", 1, "reason", "session-lost");
        history.finished("a");

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aHandleThatIsInvalidBeforeItsTimeIsFound() {
        history.section("a", "a-1")
                .token(1)
                .from(100)
                .validFor(500)
                .foundLostAt(150)
                .to(200)
                .released(false);
        history.event(250, "a", "lost", "id", "a-1", "token", 1, "reason", "session-lost");

        assertThat(history.verdict().brokenRules()).containsExactly("losses are told");
    }

    // Everybody goes on

    @Test
    void aWorkerWithoutItsLastGrantIsFound() {
        history.draining("a");
        history.finished("a");

        assertThat(history.verdictWithLastGrants(1).brokenRules()).containsExactly("everybody goes on");
    }

    @Test
    void aWorkerThatDoesNotEndIsFound() {
        history.draining("a");
        history.event(500, "a", "final", "thread", 0, "key", "k");
        history.event(600, "harness", "stuck", "target", "a");

        assertThat(history.verdictWithLastGrants(1).brokenRules()).containsExactly("everybody goes on");
    }

    @Test
    void aWorkerThatFailsIsFound() {
        history.event(500, "a", "crashed", "thread", 0, "why", "IllegalStateException");

        assertThat(history.verdict().brokenRules()).containsExactly("everybody goes on");
    }

    @Test
    void workersThatAllDiedAreFound() {
        assertThat(history.verdictWithoutSurvivors().brokenRules()).containsExactly("everybody goes on");
    }

    // A clean table

    @Test
    void anEntryThatIsLeftInAQueueIsFound() {
        history.left("entry", "-", "s1", "-");

        assertThat(history.verdict().brokenRules()).containsExactly("a clean table");
    }

    @Test
    void anEntryThatIsLeftIsFoundEvenOfAKilledProcess() {
        history.event(10, "a", "session-started", "session", "s1");
        history.event(500, "harness", "killed", "target", "a");
        history.left("entry", "-", "s1", "-");

        assertThat(history.verdict().brokenRules()).containsExactly("a clean table");
    }

    @Test
    void aSessionOfAProcessThatEndedIsFound() {
        history.event(10, "a", "session-started", "session", "s1");
        history.finished("a");
        history.left("session", "a", "s1", "7");

        assertThat(history.verdict().brokenRules()).containsExactly("a clean table");
    }

    @Test
    void aSessionOfAKilledProcessMayBeLeft() {
        history.event(10, "a", "session-started", "session", "s1");
        history.event(500, "harness", "killed", "target", "a");
        history.left("session", "a", "s1", "7");

        assertThat(history.verdict().violations()).isEmpty();
    }

    // One clock

    @Test
    void aProcessWithAClockOfItsOwnIsFound() {
        history.event(500, "harness", "starting", "target", "a");
        history.event(400, "a", "start", "pid", 1);

        assertThat(history.verdict().brokenRules()).containsExactly("one clock");
    }
}
