package io.dynamolock.spring.autoconfigure.container;

import java.util.Map;

/**
 * As whom, and where, LocalStack is asked: it keeps the tables of each account and region apart. What the container was
 * not told is what its clients usually take.
 */
record LocalStackSettings(String region, String accessKeyId, String secretAccessKey) {

    private static final String USUAL_REGION = "us-east-1";
    private static final String USUAL_KEY = "test";

    static LocalStackSettings of(Map<String, String> environment) {
        String region = environment.getOrDefault("AWS_DEFAULT_REGION", USUAL_REGION);
        return new LocalStackSettings(
                environment.getOrDefault("DEFAULT_REGION", region),
                environment.getOrDefault("AWS_ACCESS_KEY_ID", USUAL_KEY),
                environment.getOrDefault("AWS_SECRET_ACCESS_KEY", USUAL_KEY));
    }
}
