package io.dynamolock.spring.autoconfigure.actuate;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.util.ClassUtils;

/** Knows who asks, and answers failures with a status and a sentence. Thread-safe. */
@EndpointWebExtension(endpoint = DynamoLocksEndpoint.class)
public class DynamoLocksWebExtension {

    private static final boolean HAS_SPRING_SECURITY = ClassUtils.isPresent(
            "org.springframework.security.core.Authentication", DynamoLocksWebExtension.class.getClassLoader());

    private final DynamoLocksEndpoint endpoint;
    private final Set<String> roles;

    DynamoLocksWebExtension(DynamoLocksEndpoint endpoint, Set<String> roles) {
        this.endpoint = endpoint;
        this.roles = roles;
    }

    /** As {@link DynamoLocksEndpoint#locks(Integer)}. */
    @ReadOperation
    public LocksOfProcess locks(SecurityContext caller, @Nullable Integer limit) {
        return endpoint.locks(limit, showsKeysTo(caller));
    }

    /** As {@link DynamoLocksEndpoint#lock(String[], String)}; 403 if keys are not shown to the caller, 404 where that returns null. */
    @ReadOperation
    public WebEndpointResponse<Object> lock(
            SecurityContext caller, @Selector(match = Match.ALL_REMAINING) String[] key, @Nullable String namespace) {
        if (!showsKeysTo(caller)) {
            return WebAnswers.problem(WebAnswers.FORBIDDEN, DynamoLocksEndpoint.KEYS_ARE_HIDDEN);
        }
        return WebAnswers.of(() -> {
            QueueOfLock found = endpoint.queue(key, namespace);
            return found == null
                    ? WebAnswers.problem(
                            WebEndpointResponse.STATUS_NOT_FOUND, "Nobody holds this lock or waits for it.")
                    : new WebEndpointResponse<>(found);
        });
    }

    boolean showsKeysTo(SecurityContext caller) {
        return endpoint.showsKeysTo(known(caller), roles);
    }

    boolean isAuthorized(SecurityContext caller) {
        return Show.WHEN_AUTHORIZED.isShown(known(caller), roles);
    }

    /** In reactive applications Spring Security has a principal for who is anonymous, too. */
    static SecurityContext known(SecurityContext caller) {
        return HAS_SPRING_SECURITY
                        && caller.getPrincipal() instanceof Authentication who
                        && !new AuthenticationTrustResolverImpl().isAuthenticated(who)
                ? SecurityContext.NONE
                : caller;
    }
}
