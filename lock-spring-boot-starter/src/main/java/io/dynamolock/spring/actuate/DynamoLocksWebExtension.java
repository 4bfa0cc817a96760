package io.dynamolock.spring.actuate;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockException;
import io.dynamolock.LockStoreException;
import java.security.Principal;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
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

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLocksWebExtension.class);

    private static final boolean HAS_SPRING_SECURITY = ClassUtils.isPresent(
            "org.springframework.security.core.Authentication", DynamoLocksWebExtension.class.getClassLoader());

    private static final int FORBIDDEN = 403;
    private static final int METHOD_NOT_ALLOWED = 405;

    private final DynamoLocksEndpoint endpoint;
    private final Evictions evictions;
    private final DynamoLocksEndpointProperties settings;

    DynamoLocksWebExtension(DynamoLocksEndpoint endpoint, Evictions evictions, DynamoLocksEndpointProperties settings) {
        this.endpoint = endpoint;
        this.evictions = evictions;
        this.settings = settings;
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
            return problem(FORBIDDEN, DynamoLocksEndpoint.KEYS_ARE_HIDDEN);
        }
        return answer(() -> {
            QueueOfLock found = endpoint.queue(key, namespace);
            return found == null
                    ? problem(WebEndpointResponse.STATUS_NOT_FOUND, "Nobody holds this lock or waits for it.")
                    : new WebEndpointResponse<>(found);
        });
    }

    /**
     * As {@link DynamoLocksEndpoint#evict}, for known users that have one of the roles if there are some.
     *
     * @return 204 if the process was told, 403 if the user may not evict, 404 if the entry is not there any more, 405 if
     *     evicting is not switched on
     */
    @DeleteOperation
    public WebEndpointResponse<Object> evict(
            SecurityContext caller,
            @Selector(match = Match.ALL_REMAINING) String[] key,
            String id,
            @Nullable String namespace) {
        if (!settings.evict()) {
            return problem(METHOD_NOT_ALLOWED, DynamoLocksEndpoint.EVICTING_IS_OFF);
        }
        SecurityContext known = known(caller);
        Principal principal = known.getPrincipal();
        Evictions.Attempt attempt = new Evictions.Attempt(
                principal == null ? "" : principal.getName(),
                DynamoLocksEndpoint.joined(key),
                DynamoLocksEndpoint.orDefault(namespace),
                id,
                showsKeysTo(caller));
        if (!Show.WHEN_AUTHORIZED.isShown(known, settings.roles())) {
            evictions.refuse(attempt);
            return problem(
                    FORBIDDEN,
                    "Only an authenticated user can evict, with one of management.endpoint.dynamolock.roles if there are some.");
        }
        return answer(() -> evictions.evict(attempt)
                ? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT)
                : problem(WebEndpointResponse.STATUS_NOT_FOUND, "This entry of the queue is not there any more."));
    }

    private boolean showsKeysTo(SecurityContext caller) {
        return settings.showKeys().isShown(known(caller), settings.roles());
    }

    /** In reactive applications Spring Security has a principal for who is anonymous, too. */
    private static SecurityContext known(SecurityContext caller) {
        return HAS_SPRING_SECURITY
                        && caller.getPrincipal() instanceof Authentication who
                        && !new AuthenticationTrustResolverImpl().isAuthenticated(who)
                ? SecurityContext.NONE
                : caller;
    }

    /** Not with the text of a failure, which names the key. */
    private static WebEndpointResponse<Object> answer(Supplier<WebEndpointResponse<Object>> answer) {
        try {
            return answer.get();
        } catch (IllegalArgumentException e) {
            return problem(
                    WebEndpointResponse.STATUS_BAD_REQUEST,
                    "No lock has such a key or namespace, or no entry such an id.");
        } catch (LockClosedException e) {
            return problem(
                    WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
                    "The lock registry is closed: the application stops.");
        } catch (LockException e) {
            LOG.debug("The endpoint of locks could not answer", e);
            return problem(
                    WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
                    e instanceof LockStoreException
                            ? "The table refused, or could not be reached. The health of dynamolock says why."
                            : "The answer of the table was not waited for.");
        }
    }

    private static WebEndpointResponse<Object> problem(int status, String problem) {
        return new WebEndpointResponse<>(Map.of("problem", problem), status);
    }
}
