package io.dynamolock.spring.autoconfigure.actuate;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockException;
import io.dynamolock.LockStoreException;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** Statuses for what goes wrong. Not with the text of the failure, which names the key. */
final class WebAnswers {

    static final int FORBIDDEN = 403;

    private static final Logger LOG = LoggerFactory.getLogger(WebAnswers.class);

    private WebAnswers() {}

    static WebEndpointResponse<Object> of(Supplier<WebEndpointResponse<Object>> answer) {
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
                            ? "The table refused, or could not be reached. The health of dynamoLock says why."
                            : "The answer of the table was not waited for.");
        }
    }

    static WebEndpointResponse<Object> problem(int status, String problem) {
        return new WebEndpointResponse<>(Map.of("problem", problem), status);
    }
}
