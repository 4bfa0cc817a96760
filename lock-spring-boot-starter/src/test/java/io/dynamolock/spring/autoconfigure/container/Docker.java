package io.dynamolock.spring.autoconfigure.container;

import static org.junit.jupiter.api.Assumptions.abort;

import org.testcontainers.DockerClientFactory;

/** Skips without Docker, unless the environment variable {@code CI} is {@code true}: there a test must run. */
final class Docker {

    private Docker() {}

    static void orSkip(String test, String whatWasNotTested) {
        if (!"true".equals(System.getenv("CI"))
                && !DockerClientFactory.instance().isDockerAvailable()) {
            String skipped = "SKIPPED " + test + ": there is no Docker here, so " + whatWasNotTested;
            System.err.println(skipped);
            abort(skipped);
        }
    }
}
