package io.dynamolock.sample.billing;

import io.dynamolock.spring.annotation.DynamoLeader;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.Lifecycle;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/** An elected leader: one instance mails invoices; when that instance dies, another one goes on. */
@Component
@DynamoLeader("invoice-mail")
class InvoiceMail implements Lifecycle {

    private static final Logger log = LoggerFactory.getLogger(InvoiceMail.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Invoices invoices;
    private final TaskScheduler scheduler;
    private volatile @Nullable ScheduledFuture<?> mailing;

    InvoiceMail(Invoices invoices, TaskScheduler scheduler) {
        this.invoices = invoices;
        this.scheduler = scheduler;
    }

    private void mail() {
        for (Invoice invoice : invoices.notMailed()) {
            log.info("Mailed invoice {} to its customer", invoice.number());
            invoices.markMailed(invoice);
        }
    }

    @Override
    public void start() {
        mailing = scheduler.scheduleWithFixedDelay(this::mail, PAUSE);
    }

    @Override
    public void stop() {
        ScheduledFuture<?> begun = mailing;
        if (begun != null) {
            begun.cancel(false);
        }
        mailing = null;
    }

    @Override
    public boolean isRunning() {
        return mailing != null;
    }
}
