package io.dynamolock.spring.autoconfigure;

import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * The web identity that a service account of Kubernetes has on EKS. The AWS SDK can use it only with its module {@code
 * sts}, and without that module it says nothing, but goes on to other credentials.
 */
final class WebIdentity {

    static final String ADVICE =
            "AWS_WEB_IDENTITY_TOKEN_FILE is set, but software.amazon.awssdk:sts, which the AWS SDK needs for it, is not on"
                    + " the class path. Without it, the SDK goes on to other credentials, such as the role of the machine,"
                    + " which may lack permissions or have too many. Add the dependency software.amazon.awssdk:sts.";

    private static final String STS = "software.amazon.awssdk.services.sts.StsClient";

    private WebIdentity() {}

    /** What is missing, if a web identity is set that the SDK would use, and cannot. */
    static Optional<String> problem(Environment environment, ClassLoader classes) {
        boolean isSet = isAnySet(environment, "AWS_WEB_IDENTITY_TOKEN_FILE", "aws.webIdentityTokenFile");
        // The SDK takes these first.
        boolean hasKeys = isAnySet(environment, "AWS_ACCESS_KEY_ID", "aws.accessKeyId");
        return isSet && !hasKeys && !ClassUtils.isPresent(STS, classes) ? Optional.of(ADVICE) : Optional.empty();
    }

    private static boolean isAnySet(Environment environment, String... names) {
        return Stream.of(names).map(environment::getProperty).anyMatch(StringUtils::hasText);
    }
}
