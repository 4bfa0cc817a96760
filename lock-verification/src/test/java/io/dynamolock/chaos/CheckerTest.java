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
        history.event(100, "a", "ask", "id", "a-1", "key", "k", "wait", "forever");
        history.event(110, "a", "asked", "id", "a-1");
        history.event(120, "a", "grant", "id", "a-1", "key", "k", "token", 1, "seen", 120, "left", 400);
        history.section("b", "b-1").token(2).from(519).to(600);

        assertThat(history.verdict().brokenRules()).containsExactly("one valid holder");
    }

    @Test
    void aSuccessorAfterThatTimeIsRight() {
        history.event(100, "a", "ask", "id", "a-1", "key", "k", "wait", "forever");
        history.event(110, "a", "asked", "id", "a-1");
        history.event(120, "a", "grant", "id", "a-1", "key", "k", "token", 1, "seen", 120, "left", 400);
        history.section("b", "b-1").token(2).from(521).to(600);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aClosedRegistryHoldsNothingAnyMore() {
        history.event(100, "a", "ask", "id", "a-1", "key", "k", "wait", "forever");
        history.event(110, "a", "asked", "id", "a-1");
        history.event(120, "a", "grant", "id", "a-1", "key", "k", "token", 1, "seen", 120, "left", 400);
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

    // No lost update

    @Test
    void aChainOfWritesIsAccepted() {
        history.section("a", "a-1")
                .token(1)
                .from(100)
                .to(200)
                .plain("initial", "LANDED")
                .fenced("initial", "LANDED");
        history.section("b", "b-1")
                .token(2)
                .from(210)
                .to(300)
                .plain("a-1", "LANDED")
                .fenced("a-1", "LANDED");
        history.register("plain#k", "b-1-p", 2);
        history.register("fenced#k", "b-1-f", 2);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void anUpdateThatIsLostBetweenTwoHoldersIsFound() {
        history.section("a", "a-1").token(1).from(100).to(200).plain("initial", "LANDED");
        history.section("b", "b-1").token(2).from(210).to(300).plain("initial", "LANDED");
        history.register("plain#k", "b-1-p", 2);

        assertThat(history.verdict().brokenRules()).containsExactly("no lost update");
    }

    @Test
    void anUpdateThatIsLostByAnOverrunIsCounted() {
        history.section("a", "a-1")
                .token(1)
                .from(100)
                .validFor(50)
                .to(400)
                .plain("initial", "LANDED")
                .released(false);
        history.section("b", "b-1").token(2).from(210).to(300).plain("initial", "LANDED");
        history.register("plain#k", "a-1-p", 2);

        Verdict verdict = history.verdict();

        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.summary().figures()).containsEntry("updates lost without a fence: lock overrun", 1);
    }

    @Test
    void anUpdateThatIsLostByAWriteWithoutAnswerIsCounted() {
        history.section("a", "a-1").token(1).from(100).to(200).plain("initial", "UNKNOWN");
        history.section("b", "b-1").token(2).from(210).to(300).plain("initial", "LANDED");
        history.register("plain#k", "a-1-p", 2);

        Verdict verdict = history.verdict();

        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.summary().figures())
                .containsEntry("updates lost without a fence: write without an answer", 1);
    }

    @Test
    void anUpdateThatIsLostBetweenTwoHoldersIsFoundThoughAThirdOverranItsLock() {
        history.section("a", "a-1").token(1).from(100).to(200).plain("initial", "LANDED");
        history.section("b", "b-1").token(2).from(210).to(300).plain("initial", "LANDED");
        history.section("c", "c-1").token(3).from(310).to(400).plain("initial", "UNKNOWN");
        history.register("plain#k", "c-1-p", 3);

        assertThat(history.verdict().brokenRules()).containsExactly("no lost update");
    }

    @Test
    void inAFencedRegisterNoLossIsExplained() {
        history.section("a", "a-1")
                .token(1)
                .from(100)
                .validFor(50)
                .to(400)
                .fenced("initial", "LANDED")
                .released(false);
        history.section("b", "b-1").token(2).from(210).to(300).fenced("initial", "LANDED");
        history.register("fenced#k", "b-1-f", 2);

        assertThat(history.verdict().brokenRules()).contains("no lost update");
    }

    @Test
    void aWriteThatNobodyHeardOfIsMissedInAFencedRegister() {
        history.section("a", "a-1").token(1).from(100).to(200).fenced("initial", "UNKNOWN");
        history.section("b", "b-1").token(2).from(210).to(300).fenced("initial", "LANDED");
        history.register("fenced#k", "b-1-f", 2);

        assertThat(history.verdict().brokenRules()).containsExactly("no lost update");
    }

    @Test
    void aWriteWithoutAnswerThatWasReadIsPartOfTheChain() {
        history.section("a", "a-1").token(1).from(100).to(200).fenced("initial", "UNKNOWN");
        history.section("b", "b-1").token(2).from(210).to(300).fenced("a-1", "LANDED");
        history.register("fenced#k", "b-1-f", 2);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aDatabaseThatForgetsIsFound() {
        history.section("a", "a-1").token(1).from(100).to(200).plain("initial", "LANDED");
        history.register("plain#k", "initial-plain#k", 0);

        assertThat(history.verdict().brokenRules()).contains("the database is sound");
    }

    @Test
    void aRefusedWriteThatWasReadIsFound() {
        history.section("a", "a-1")
                .token(1)
                .from(100)
                .to(200)
                .fenced("initial", "REFUSED", "ConditionalCheckFailed,None");
        history.register("fenced#k", "a-1-f", 1);

        assertThat(history.verdict().brokenRules()).contains("the database is sound");
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
