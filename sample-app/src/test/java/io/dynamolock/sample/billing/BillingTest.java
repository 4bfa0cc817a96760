package io.dynamolock.sample.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

import io.dynamolock.sample.orders.Customer;
import io.dynamolock.sample.orders.CustomerTable;
import io.dynamolock.test.DynamoLockTest;
import io.dynamolock.test.TestLocks;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** How to test a job, a leader, a future and a fallback. */
@DynamoLockTest
@Import({SalesReport.class, InvoiceMail.class, Payments.class, Statements.class})
class BillingTest {

    private static final Customer CUSTOMER = new Customer("42", 1, BigDecimal.TEN, 0);

    @Autowired
    private TestLocks locks;

    @Autowired
    private SalesReport report;

    @Autowired
    private InvoiceMail mail;

    @Autowired
    private Payments payments;

    @Autowired
    private Statements statements;

    @MockitoBean
    private Invoices invoices;

    @MockitoBean
    private PaymentProvider provider;

    @MockitoBean
    private CustomerTable customers;

    @MockitoBean
    private TaskScheduler scheduler;

    private final ScheduledFuture<?> mailing = mock(ScheduledFuture.class);

    @BeforeEach
    void prepare() {
        willReturn(mailing).given(scheduler).scheduleWithFixedDelay(any(), any(Duration.class));
        given(customers.read("42")).willReturn(CUSTOMER);
    }

    @Test
    void theReportOfOneMinuteIsMadeByOneInstance() {
        report.report();
        locks.assertEnteredUnderLock(SalesReport.class, "report", "sales-report");
        then(invoices).should().total();

        report.report();
        then(invoices).shouldHaveNoMoreInteractions();

        locks.advance(Duration.ofSeconds(30));
        locks.occupy("sales-report");
        report.report();
        then(invoices).shouldHaveNoMoreInteractions();
    }

    @Test
    void theLeaderMailsInvoicesUntilItLeadsNoMore() {
        // The first election may have been won before this test had told the scheduler what to answer.
        locks.lose("invoice-mail", "leader");
        ArgumentCaptor<Runnable> task = ArgumentCaptor.forClass(Runnable.class);
        await().until(mail::isRunning);
        then(scheduler).should(atLeastOnce()).scheduleWithFixedDelay(task.capture(), any(Duration.class));
        Invoice invoice = new Invoice(1, "42", BigDecimal.TEN);
        given(invoices.notMailed()).willReturn(List.of(invoice));

        task.getValue().run();
        then(invoices).should().markMailed(invoice);
        then(mailing).should(never()).cancel(false);

        locks.lose("invoice-mail", "leader");
        await().untilAsserted(() -> then(mailing).should().cancel(false));
    }

    @Test
    void aPaymentHoldsItsLockUntilTheProviderHasAnswered() {
        CompletableFuture<Payment> answer = new CompletableFuture<>();
        given(provider.charge("42", BigDecimal.TEN)).willReturn(answer);

        CompletableFuture<Payment> paid = payments.pay("42", BigDecimal.TEN);
        await().untilAsserted(() -> then(provider).should().charge(any(), any()));
        locks.assertHeld("payment:42");
        assertThat(paid).isNotDone();

        answer.complete(new Payment("42", BigDecimal.TEN));
        assertThat(paid).succeedsWithin(10, TimeUnit.SECONDS);
        locks.assertNotHeld("payment:42");
    }

    @Test
    void aStatementIsReadUnderTheLockOfItsCustomer() {
        assertThat(statements.of("42")).isEqualTo(new Statement(CUSTOMER, true));
        locks.assertEnteredUnderLock(Statements.class, "of", "customer:42");
    }

    @Test
    void aStatementThatWaitsTooLongSaysThatItIsNotTheLast() {
        locks.timeOut("customer:42");

        assertThat(statements.of("42")).isEqualTo(new Statement(CUSTOMER, false));
    }
}
