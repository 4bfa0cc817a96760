package io.dynamolock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** As {@link CheckerTest}, for what is written and read under the locks. */
class RegisterCheckerTest {

    private final HandmadeHistory history = new HandmadeHistory();

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
}
