package io.dynamolock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** As {@link TogetherCheckerTest}, for the order in which readers, writers and permits are served. */
class PlaceCheckerTest {

    private static final String ORDER = "first come, first served";

    private final HandmadeHistory history = new HandmadeHistory();

    @Test
    void aReaderThatPassesAWriterOfAnotherProcessIsFound() {
        history.section("a", "a-1")
                .writes()
                .queued(5)
                .token(7)
                .asked(10)
                .from(300)
                .to(400);
        history.section("b", "b-1").reads().token(6).asked(50).from(100).to(200);

        assertThat(history.verdict().brokenRules()).containsExactly(ORDER);
    }

    @Test
    void aWriterThatPassesAReaderOfAnotherProcessIsFound() {
        history.section("a", "a-1")
                .reads()
                .queued(5)
                .token(7)
                .asked(10)
                .from(300)
                .to(400);
        history.section("b", "b-1").writes().token(6).asked(50).from(100).to(200);

        assertThat(history.verdict().brokenRules()).containsExactly(ORDER);
    }

    @Test
    void aReaderWhoAsksBeforeAWriterStandsInTheQueueMayPassIt() {
        // The writer stands there from 13 on.
        history.section("a", "a-1").writes().token(7).asked(10).from(300).to(400);
        history.section("b", "b-1").reads().token(6).asked(12).from(100).to(200);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aReaderMayPassAWriterThatHasLostItsSession() {
        history.section("a", "a-1")
                .writes()
                .queued(5)
                .token(7)
                .asked(10)
                .losesItsSession()
                .from(300)
                .to(400);
        history.section("b", "b-1").reads().token(6).asked(50).from(100).to(200);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aWriterThatHearsOfItsGrantTooLateWasNotPassed() {
        history.section("a", "a-1")
                .writes()
                .token(5)
                .asked(10)
                .from(300)
                .validFor(0)
                .to(400);
        history.section("b", "b-1").reads().token(6).asked(50).from(100).to(200);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void readersMayPassReaders() {
        history.section("a", "a-1").reads().token(7).asked(10).from(300).to(400);
        history.section("b", "b-1").reads().token(6).asked(50).from(100).to(200);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aPermitThatGetsAPlaceBeforeOneThatStandsInTheQueueIsFound() {
        history.section("a", "a-1").hasAPermit().token(5).asked(10).from(100).to(200);
        history.section("b", "b-1").hasAPermit().token(5).asked(50).from(150).to(180);

        assertThat(history.verdict().brokenRules()).containsExactly(ORDER);
    }

    @Test
    void aPermitThatIsHeardOfBeforeTheOneAheadIsAccepted() {
        history.section("a", "a-1").hasAPermit().token(5).asked(10).from(100).to(200);
        history.section("b", "b-1").hasAPermit().token(6).asked(50).from(90).to(180);

        assertThat(history.verdict().violations()).isEmpty();
    }

    @Test
    void aPermitThatOvertakesAnotherOfItsProcessIsFoundThoughTheirPlacesWereLost() {
        history.section("a", "a-1")
                .hasAPermit()
                .token(2)
                .asked(10)
                .losesItsSession()
                .from(300)
                .to(400);
        history.section("a", "a-2").hasAPermit().token(1).asked(50).from(100).to(200);

        assertThat(history.verdict().brokenRules()).containsExactly(ORDER);
    }

    @Test
    void readersAndWritersOfOneProcessHaveNoOrderByTheirArrivalAlone() {
        history.section("a", "a-1")
                .writes()
                .token(3)
                .asked(10)
                .losesItsSession()
                .from(300)
                .to(400);
        history.section("a", "a-2").reads().token(2).asked(50).from(100).to(200);

        assertThat(history.verdict().violations()).isEmpty();
    }
}
