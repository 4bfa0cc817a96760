package io.dynamolock.spring.autoconfigure.container;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * As whom, and where, LocalStack is asked: it keeps the tables of each account and region apart. What the container was
 * not told is what its clients usually take.
 */
record LocalStackSettings(String region, String accessKeyId, String secretAccessKey) {

    private static final String USUAL_REGION = "us-east-1";
    private static final String USUAL_KEY = "test";

    /** @param environment what the container was told, by name; {@code null} where it was told nothing */
    static LocalStackSettings of(Function<String, @Nullable String> environment) {
        String region = either(environment.apply("AWS_DEFAULT_REGION"), USUAL_REGION);
        return new LocalStackSettings(
                either(environment.apply("DEFAULT_REGION"), region),
                either(environment.apply("AWS_ACCESS_KEY_ID"), USUAL_KEY),
                either(environment.apply("AWS_SECRET_ACCESS_KEY"), USUAL_KEY));
    }

    private static String either(@Nullable String told, String usual) {
        return told == null ? usual : told;
    }
}
