package io.dynamolock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class SafeFailureTest {

    private static final String LONG = "x".repeat(300_000);

    @Test
    void anOrdinaryFailureIsLoggedAsItIs() {
        Exception failure = new IllegalStateException("two\nlines", new RuntimeException("why"));
        failure.addSuppressed(new RuntimeException("besides"));

        assertThat(SafeFailure.of(failure)).isSameAs(failure);
    }

    @Test
    void longTextsAreCutAndTheStackTraceStays() {
        Exception failure = new IllegalStateException(LONG);

        Throwable safe = SafeFailure.of(failure);

        assertThat(safe.getMessage())
                .startsWith("java.lang.IllegalStateException: xxx")
                .endsWith("x...")
                .hasSizeLessThan(2_010);
        assertThat(safe.getStackTrace()).isEqualTo(failure.getStackTrace());
    }

    @Test
    void longTextsOfCausesAndSuppressedFailuresAreCutToo() {
        Exception failure = new IllegalStateException("short", new RuntimeException(LONG));
        failure.addSuppressed(new RuntimeException(LONG));

        Throwable safe = SafeFailure.of(failure);

        assertThat(safe).hasMessageEndingWith("short");
        assertThat(safe.getCause().getMessage()).hasSizeLessThan(2_010);
        assertThat(safe.getSuppressed()[0].getMessage()).hasSizeLessThan(2_010);
    }

    @Test
    void aChainWithoutEndIsCut() {
        Exception failure = new IllegalStateException(LONG);
        Exception cause = new IllegalStateException("cause", failure);
        failure.initCause(cause);
        for (int i = 0; i < 1_000; i++) {
            failure.addSuppressed(new RuntimeException("suppressed", failure));
        }
        StringWriter log = new StringWriter();

        SafeFailure.of(failure).printStackTrace(new PrintWriter(log));

        assertThat(log.toString()).hasSizeLessThan(2_000_000);
    }
}
