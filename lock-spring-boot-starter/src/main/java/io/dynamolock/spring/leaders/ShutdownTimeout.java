package io.dynamolock.spring.leaders;

import io.dynamolock.internal.text.SafeFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Waits for beans and leaders to stop, at most as long as Spring Boot lets a phase of the shutdown take. */
record ShutdownTimeout(ConfigurableBeanFactory beans) {

    private static final Logger LOG = LoggerFactory.getLogger(ShutdownTimeout.class);

    private static final String PROPERTY = "${spring.lifecycle.timeout-per-shutdown-phase:30s}";

    /**
     * Returns when the end has come or the time is over.
     *
     * @param warning logged with the timeout as its argument, unless the end has come in time
     */
    void await(CompletableFuture<Void> end, String warning) {
        Duration limit = DurationFormatterUtils.detectAndParse(String.valueOf(beans.resolveEmbeddedValue(PROPERTY)));
        try {
            end.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).join();
        } catch (CompletionException failure) {
            LOG.warn(warning, limit, SafeFailure.of(failure));
        }
    }
}
