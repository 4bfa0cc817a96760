package io.dynamolock.spring.autoconfigure;

import java.lang.reflect.Method;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Where DynamoDB is as Spring Cloud AWS has it: its connection details, as a container of LocalStack gives them, or its
 * properties. Its class is known by name, because it need not be there.
 */
final class SpringCloudAws implements DynamoLockConnectionDetails {

    private static final String DETAILS = "io.awspring.cloud.autoconfigure.core.AwsConnectionDetails";

    private final @Nullable Object details;
    private final Environment environment;

    private SpringCloudAws(@Nullable Object details, Environment environment) {
        this.details = details;
        this.environment = environment;
    }

    /** Makes no bean. */
    static boolean namesAnEndpoint(ListableBeanFactory beans, Environment environment) {
        Class<?> type = type();
        return type != null
                && (endpointProperty(environment) != null
                        || BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false).length > 0);
    }

    /** @return null without Spring Cloud AWS */
    static @Nullable SpringCloudAws in(ListableBeanFactory beans, Environment environment) {
        Class<?> type = type();
        return type == null
                ? null
                : new SpringCloudAws(beans.getBeanProvider(type).getIfUnique(), environment);
    }

    private static @Nullable Class<?> type() {
        ClassLoader classes = SpringCloudAws.class.getClassLoader();
        return ClassUtils.isPresent(DETAILS, classes) ? ClassUtils.resolveClassName(DETAILS, classes) : null;
    }

    @Override
    public @Nullable URI endpoint() {
        URI ofDetails = (URI) read("getEndpoint");
        return ofDetails != null ? ofDetails : endpointProperty(environment);
    }

    @Override
    public @Nullable String region() {
        String ofDetails = (String) read("getRegion");
        return ofDetails != null ? ofDetails : text(environment, "spring.cloud.aws.dynamodb.region");
    }

    @Override
    public @Nullable String accessKeyId() {
        return (String) read("getAccessKey");
    }

    @Override
    public @Nullable String secretAccessKey() {
        return (String) read("getSecretKey");
    }

    private static @Nullable URI endpointProperty(Environment environment) {
        String ofDynamoDb = text(environment, "spring.cloud.aws.dynamodb.endpoint");
        String endpoint = ofDynamoDb != null ? ofDynamoDb : text(environment, "spring.cloud.aws.endpoint");
        return endpoint == null ? null : URI.create(endpoint);
    }

    private static @Nullable String text(Environment environment, String property) {
        String value =
                Binder.get(environment).bind(property, String.class).orElse("").trim();
        return StringUtils.hasText(value) ? value : null;
    }

    private @Nullable Object read(String getter) {
        Class<?> type = type();
        if (details == null || type == null) {
            return null;
        }
        // By the interface, which is public; the class of the bean need not be.
        Method method = ReflectionUtils.findMethod(type, getter);
        return method == null ? null : ReflectionUtils.invokeMethod(method, details);
    }
}
