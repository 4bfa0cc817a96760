package io.dynamolock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** As {@link CheckerTest}, for locks that several hold together: readers and writers, and permits. */
class TogetherCheckerTest {

    private static final String ALONE = "one valid holder";
    private static final String NUMBERS = "numbers rise";
    private static final String STEADY = "nothing changes under a reader";

    private final HandmadeHistory history = new HandmadeHistory();

    // Who holds a lock beside whom

    @Test
    void readersThatHoldALockTogetherAreAccepted() {
        history.section("a", "a-1").reads().token(1).from(100).to(200);
        history.section("b", "b-1").reads().token(2).from(110).to(300);
        history.section("b", "b-2").reads().token(3).from(120).to(300);
        history.section("a", "a-2").writes().token(4).from(310).to(400);
        history.section("b", "b-3").reads().token(5).from(410).to(500);

        Verdict verdict = history.verdict();

        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.summary().processesTogether()).isEqualTo(Map.of(HoldMode.READ, 2, HoldMode.WRITE, 1));
        assertThat(verdict.summary().figures())
                .containsEntry("holds", Map.of(HoldMode.READ, 4, HoldMode.WRITE, 1))
                .containsEntry("most holds together", Map.of(HoldMode.READ, 3, HoldMode.WRITE, 1));
    }

    @Test
    void aWriterBesideAReaderIsFound() {
        history.section("a", "a-1").reads().token(1).from(100).to(900);
        history.section("b", "b-1").reads().token(2).from(110).to(200);
        history.section("c", "c-1").writes().token(3).from(890).to(950);

        assertThat(history.verdict().brokenRules()).containsExactly(ALONE);
    }

    @Test
    void aReaderBesideAWriterIsFound() {
        history.section("a", "a-1").writes().token(1).from(100).to(200);
        history.section("b", "b-1").reads().token(2).from(190).to(300);

        assertThat(history.verdict().brokenRules()).containsExactly(ALONE);
    }

    @Test
    void twoWritersAtATimeAreFound() {
        history.section("a", "a-1").writes().token(1).from(100).to(200);
        history.section("b", "b-1").writes().token(2).from(190).to(300);

        assertThat(history.verdict().brokenRules()).containsExactly(ALONE);
    }

    @Test
    void readersBesideAWriterThatGoesOnAsAReaderAreAccepted() {
        history.section("a", "a-1")
                .writes()
                .token(1)
                .from(100)
                .goesOnAsReaderAt(200)
                .to(400);
        history.section("b", "b-1").reads().token(2).from(201).to(300);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aReaderBesideAWriterThatGoesOnAsAReaderLaterIsFound() {
        history.section("a", "a-1")
                .writes()
                .token(1)
                .from(100)
                .goesOnAsReaderAt(200)
                .to(400);
        history.section("b", "b-1").reads().token(2).from(190).to(300);

        assertThat(history.verdict().brokenRules()).containsExactly(ALONE);
    }

    @Test
    void aWriterBesideOneThatGoesOnAsAReaderIsFound() {
        history.section("a", "a-1")
                .writes()
                .token(1)
                .from(100)
                .goesOnAsReaderAt(200)
                .to(400);
        history.section("b", "b-1").writes().token(2).from(300).to(500);

        assertThat(history.verdict().brokenRules()).containsExactly(ALONE);
    }

    @Test
    void asManyHoldersAsThereArePermitsAreAccepted() {
        history.section("a", "a-1").hasAPermit().token(1).from(100).to(300);
        history.section("b", "b-1").hasAPermit().token(2).from(110).to(200);
        history.section("c", "c-1").hasAPermit().token(3).from(210).to(300);

        Verdict verdict = history.verdict();

        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.summary().processesTogether()).isEqualTo(Map.of(HoldMode.PERMIT, 2));
    }

    @Test
    void aHolderMoreThanThereArePermitsIsFound() {
        history.section("a", "a-1").hasAPermit().token(1).from(100).to(300);
        history.section("b", "b-1").hasAPermit().token(2).from(110).to(200);
        history.section("c", "c-1").hasAPermit().token(3).from(190).to(300);

        assertThat(history.verdict().brokenRules()).containsExactly(ALONE);
    }

    @Test
    void aValidReaderThatTheTableDoesNotNameIsFound() {
        history.section("a", "a-1").reads().token(1).from(100).to(200).holderInTable("b", 1);

        assertThat(history.verdict().brokenRules()).containsExactly(ALONE);
    }

    // Numbers

    @Test
    void readersMayHaveNumbersInAnyOrderAndTheSameNumber() {
        history.section("a", "a-1").reads().token(5).from(100).to(200);
        history.section("b", "b-1").reads().token(4).from(120).to(200);
        history.section("c", "c-1").reads().token(5).from(130).to(200);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aWriterWithANumberBelowThatOfAReaderBeforeItIsFound() {
        // All had asked before anybody was granted the lock.
        history.section("a", "a-1").reads().token(5).asked(10).from(100).to(200);
        history.section("b", "b-1").reads().token(3).asked(10).from(110).to(200);
        history.section("c", "c-1").writes().token(4).asked(10).from(210).to(300);

        assertThat(history.verdict().brokenRules()).containsExactly(NUMBERS);
    }

    @Test
    void aWriterWithTheNumberOfAReaderIsFound() {
        history.section("a", "a-1").reads().token(5).asked(10).from(100).to(200);
        history.section("b", "b-1").writes().token(5).asked(10).from(210).to(300);

        assertThat(history.verdict().brokenRules()).containsExactly(NUMBERS);
    }

    @Test
    void aReaderWithANumberBelowThatOfAWriterBeforeItIsFound() {
        history.section("a", "a-1").writes().token(5).asked(10).from(100).to(200);
        history.section("b", "b-1").reads().token(6).asked(10).from(210).to(300);
        history.section("c", "c-1").reads().token(4).asked(10).from(220).to(300);

        assertThat(history.verdict().brokenRules()).containsExactly(NUMBERS);
    }

    @Test
    void permitsThatAreAskedForTogetherMayHaveNumbersInAnyOrder() {
        history.section("a", "a-1").hasAPermit().token(2).asked(10).from(100).to(200);
        history.section("b", "b-1").hasAPermit().token(1).asked(10).from(110).to(200);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aPermitWithANumberBelowOneThatWasGrantedBeforeItWasAskedForIsFound() {
        history.section("a", "a-1")
                .hasAPermit()
                .token(5)
                .losesItsSession()
                .from(100)
                .to(200);
        history.section("b", "b-1").hasAPermit().token(4).asked(150).from(210).to(300);

        assertThat(history.verdict().brokenRules()).containsExactly(NUMBERS);
    }

    // Nothing changes under a reader

    @Test
    void aReaderThatSeesTheSameTwiceIsAccepted() {
        history.section("a", "a-1")
                .reads()
                .token(1)
                .from(100)
                .to(200)
                .sees("w-1")
                .sees("w-1");
        history.section("b", "b-1").reads().token(2).from(210).to(300).sees("w-2");

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aChangeUnderAReaderIsFound() {
        history.section("a", "a-1")
                .reads()
                .token(1)
                .from(100)
                .to(200)
                .sees("w-1")
                .sees("w-2");

        assertThat(history.verdict().brokenRules()).containsExactly(STEADY);
    }

    @Test
    void aChangeUnderAReaderThatHasLostItsLockIsAccepted() {
        history.section("a", "a-1")
                .reads()
                .token(1)
                .from(100)
                .validFor(50)
                .to(200)
                .sees("w-1")
                .sees("w-2");

        assertThat(history.verdict().violations()).isEmpty();
    }
}
