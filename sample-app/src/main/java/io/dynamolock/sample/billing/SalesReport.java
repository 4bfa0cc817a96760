package io.dynamolock.sample.billing;

import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnTimeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** A job that every instance schedules and only one runs. */
@Component
class SalesReport {

    private static final Logger log = LoggerFactory.getLogger(SalesReport.class);

    private final Invoices invoices;

    SalesReport(Invoices invoices) {
        this.invoices = invoices;
    }

    /** Keeps the lock until instances with a slow clock have tried, too. */
    @Scheduled(cron = "0 * * * * *")
    @DynamoLocked(key = "'sales-report'", waitTime = "0", onTimeout = OnTimeout.SKIP, holdAtLeast = "30s")
    public void report() {
        log.info("Invoices so far: {}", invoices.total());
    }
}
