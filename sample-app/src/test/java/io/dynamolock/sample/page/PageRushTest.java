package io.dynamolock.sample.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

import io.dynamolock.sample.orders.Customer;
import io.dynamolock.sample.orders.CustomerTable;
import io.dynamolock.sample.orders.OrderService;
import io.dynamolock.sample.page.PageState.Kind;
import io.dynamolock.sample.page.PageState.Result;
import io.dynamolock.sample.rush.OneRush;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageRushTest {

    private static final RuntimeException UNREADABLE = new IllegalStateException("not now");

    private final Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    private final Board board = new Board(clock);
    private final CustomerTable customers = mock(CustomerTable.class);
    private final OneRush oneRush = new OneRush();
    private final PageRush rush =
            new PageRush(stage(), mock(OrderService.class), customers, oneRush, Runnable::run, clock);

    @Test
    void aRushWithoutAFirstReadIsNotReportedAsGood() {
        given(customers.read(any())).willThrow(UNREADABLE);

        rush.begin(2, true);

        failed("with");
    }

    @Test
    void aRushWithoutALastReadIsNotReportedAsALoss() {
        given(customers.read(any())).willReturn(customer(7)).willThrow(UNREADABLE);

        rush.begin(2, false);

        failed("without");
    }

    @Test
    void aRushIsJudgedByTheGrowthOfTheCustomersTotal() {
        given(customers.read(any())).willReturn(customer(7), customer(8));

        rush.begin(2, false);

        assertThat(state().results()).containsExactly(new Result(false, 2, 0, 1, 0, 0, 0, 0));
    }

    @Test
    void thereIsOneRushAtATimeWhoeverBeganIt() {
        given(customers.read(any())).willReturn(customer(7));

        assertThat(oneRush.begin()).isTrue();
        assertThat(rush.begin(2, false)).isFalse();
        oneRush.end();
        assertThat(rush.begin(2, false)).isTrue();
        assertThat(oneRush.begin()).isTrue();
    }

    private void failed(String withOrWithout) {
        assertThat(state().results()).isEmpty();
        assertThat(state().news()).singleElement().satisfies(news -> {
            assertThat(news.kind()).isEqualTo(Kind.BAD);
            assertThat(news.text())
                    .isEqualTo(
                            "The rush %s the lock failed: it could not be carried out or counted, so it has no result.",
                            withOrWithout);
        });
        assertThat(board.isRushing()).isFalse();
    }

    private PageState state() {
        return board.state(Duration.ofSeconds(4), List.of(), List.of());
    }

    private Stage stage() {
        Stage stage = mock(Stage.class);
        given(stage.board()).willReturn(board);
        return stage;
    }

    private static Customer customer(long orders) {
        return new Customer("page-rush", orders, BigDecimal.ZERO, 0);
    }
}
