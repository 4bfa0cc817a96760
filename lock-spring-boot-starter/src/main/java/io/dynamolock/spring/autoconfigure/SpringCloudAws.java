package io.dynamolock.spring.autoconfigure;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Where DynamoDB is as the properties of Spring Cloud AWS say. */
record SpringCloudAws(@Nullable URI endpoint, @Nullable String region) implements DynamoLockConnectionDetails {

    private static final String PREFIX = "spring.cloud.aws.";

    static SpringCloudAws of(Environment environment) {
        String ofDynamoDb = environment.getProperty(PREFIX + "dynamodb.endpoint");
        String endpoint = StringUtils.hasText(ofDynamoDb) ? ofDynamoDb : environment.getProperty(PREFIX + "endpoint");
        String region = environment.getProperty(PREFIX + "dynamodb.region");
        return new SpringCloudAws(
                StringUtils.hasText(endpoint) ? URI.create(endpoint.trim()) : null,
                StringUtils.hasText(region) ? region.trim() : null);
    }
}
