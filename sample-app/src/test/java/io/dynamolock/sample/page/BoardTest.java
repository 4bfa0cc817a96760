package io.dynamolock.sample.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

import io.dynamolock.LockHandle;
import io.dynamolock.sample.page.PageState.Group;
import io.dynamolock.sample.page.PageState.Kind;
import io.dynamolock.sample.page.PageState.News;
import io.dynamolock.sample.page.PageState.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoardTest {

    private static final Duration NO_TIME = Duration.ZERO;

    private final Board board = new Board(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));

    @Test
    void ticketsAreSmallNumbersThatRiseAsTokensDo() {
        assertThat(board.ticket(1_795_255_271_018_234L)).isEqualTo(1);
        assertThat(board.ticket(1_795_255_271_018_239L)).isEqualTo(6);
    }

    @Test
    void aHolderWithASmallerTicketThanTheTurnBeforeIsOutOfOrder() {
        board.beginRush(true, 2);
        turn(11, true);
        turn(10, true);
        board.endRush(0, NO_TIME);

        assertThat(result().outOfOrder()).isEqualTo(1);
        assertThat(news().kind()).isEqualTo(Kind.BAD);
    }

    @Test
    void aTurnReportedAfterALossIsNoFalseAlarm() {
        board.beginRush(true, 2);
        turn(11, true);
        turn(10, false);
        board.endRush(0, NO_TIME);

        assertThat(result().outOfOrder()).isZero();
    }

    @Test
    void ordersMissingFromTheCustomersCountAreLost() {
        board.beginRush(false, 3);
        board.orderArrived();
        board.orderArrived();
        board.orderFailed();
        board.endRush(1, NO_TIME);

        assertThat(result()).isEqualTo(new Result(false, 2, 1, 1, 0, 0, 0, 0));
        assertThat(news().text())
                .isEqualTo("The rush without the lock is over: 2 orders were accepted, 1 of them lost, 1 failed.");
    }

    @Test
    void aServedCallerIsNotShownAsWaitingFromAnOlderRead() {
        turn(11, true);
        turn(13, true);
        List<Group> read = List.of(
                new Group(InstanceName.B, board.ticket(12), board.ticket(12)),
                new Group(InstanceName.A, board.ticket(13), board.ticket(15)));

        assertThat(board.state(Duration.ofSeconds(4), List.of(), read).line())
                .containsExactly(new Group(InstanceName.A, board.ticket(14), board.ticket(15)));
    }

    @Test
    void onlyTheLatestNewsAreKept() {
        for (int i = 1; i <= 20; i++) {
            board.tell(Kind.PLAIN, "" + i);
        }

        assertThat(state().news())
                .extracting(News::text)
                .hasSize(8)
                .startsWith("20", "19")
                .endsWith("13");
    }

    private void turn(long token, boolean valid) {
        LockHandle handle = mock(LockHandle.class);
        given(handle.fencingToken()).willReturn(token);
        given(handle.isValid()).willReturn(valid);
        board.turn(InstanceName.A, handle, NO_TIME, true);
        board.orderArrived();
    }

    private Result result() {
        return state().results().get(0);
    }

    private News news() {
        return state().news().get(0);
    }

    private PageState state() {
        return board.state(Duration.ofSeconds(4), List.of(), List.of());
    }
}
