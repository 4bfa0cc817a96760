package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.Aws;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The properties, with what connection details say in their place: a test that brings a container need not unset what
 * the application's files say of production.
 */
final class DetailsOverProperties {

    private DetailsOverProperties() {}

    static Aws of(DynamoLockConnectionDetails details, Aws properties) {
        URI endpoint = details.endpoint();
        String region = details.region();
        String id = details.accessKeyId();
        String secret = details.secretAccessKey();
        boolean identified = id != null && secret != null;
        return new Aws(
                region != null ? region : properties.region(),
                endpoint != null ? endpoint : properties.endpoint(),
                properties.allowHttp(),
                identified ? id : properties.accessKeyId(),
                identified ? secret : properties.secretAccessKey(),
                identified ? null : properties.sessionToken(),
                identified ? null : profile(endpoint, properties));
    }

    /** A profile is of AWS: where the details name a DynamoDB Local, there need not even be a file with profiles. */
    private static @Nullable String profile(@Nullable URI endpoint, Aws properties) {
        return endpoint != null && LocalEndpoints.contain(endpoint) ? null : properties.profile();
    }
}
