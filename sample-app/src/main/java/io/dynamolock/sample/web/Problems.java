package io.dynamolock.sample.web;

import io.dynamolock.LockException;
import io.dynamolock.LockLostException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.lockingread.ItemChangedException;
import io.dynamolock.lockingread.ItemLockException;
import io.dynamolock.lockingread.ItemLockLostException;
import io.dynamolock.lockingread.ItemLockedException;
import io.dynamolock.sample.orders.StaleWriteException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import software.amazon.awssdk.core.exception.SdkException;

/** Turns failures into problem details (RFC 9457) that say what happened and what to do. */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(Problems.class);
    /**
     * In seconds. Short, because the caller has waited for the lock already, and joins the end of the queue when it
     * comes again.
     */
    private static final String RETRY_AFTER = "5";

    /** The caller may send the same request again: the order never began. */
    @ExceptionHandler({LockTimeoutException.class, ItemLockedException.class})
    ResponseEntity<ProblemDetail> busy(RuntimeException failure) {
        // Not the message of the failure: it has the key, and the name and host of the process that holds the lock.
        log.debug("A customer was busy", failure);
        ProblemDetail problem = problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                "The customer is busy",
                "Other orders of this customer are written first. Nothing was written; order again in a moment.");
        return ResponseEntity.status(problem.getStatus())
                .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER)
                .body(problem);
    }

    /**
     * Has no {@code Retry-After}, since the order may have been written and would count twice if it were sent again.
     */
    @ExceptionHandler({LockLostException.class, ItemLockLostException.class})
    ProblemDetail lost(RuntimeException failure) {
        log.warn("A lock was lost while an order was written", failure);
        return problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                "The lock was lost",
                "The lock was lost while the order was written. Look at the customer before ordering again.");
    }

    @ExceptionHandler({LockException.class, ItemLockException.class})
    ProblemDetail notLocked(RuntimeException failure) {
        log.warn("No lock could be had", failure);
        return problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                "No lock could be had",
                "The log of this service says why. Look at the customer before ordering again.");
    }

    @ExceptionHandler
    ProblemDetail stale(StaleWriteException failure) {
        log.warn("An order came too late", failure);
        return problem(
                HttpStatus.CONFLICT,
                "The order came too late",
                "A later order of this customer was written first. This order was not written.");
    }

    @ExceptionHandler
    ProblemDetail changed(ItemChangedException failure) {
        log.warn("A customer was written without the lock of its item", failure);
        return problem(
                HttpStatus.CONFLICT,
                "The customer was changed meanwhile",
                "The customer was changed while the order was written. Nothing was written; order again.");
    }

    @ExceptionHandler
    ProblemDetail dynamoDb(SdkException failure) {
        log.warn("A call to DynamoDB failed", failure);
        return problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                "DynamoDB did not answer as it should",
                "A call to DynamoDB failed. Look at the customer before ordering again.");
    }

    @ExceptionHandler
    ProblemDetail badInput(IllegalArgumentException failure) {
        log.debug("A request made no sense", failure);
        return problem(HttpStatus.BAD_REQUEST, "Bad Request", "A value of the request is not allowed.");
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException failure, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        failure.getBody()
                .setDetail(failure.getFieldErrors().stream()
                        .map(error -> error.getField() + " " + error.getDefaultMessage())
                        .sorted()
                        .collect(Collectors.joining("; ")));
        return super.handleMethodArgumentNotValid(failure, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException failure, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        failure.getBody()
                .setDetail(failure.getParameterValidationResults().stream()
                        .flatMap(result -> result.getResolvableErrors().stream()
                                .map(error ->
                                        describe(result.getMethodParameter().getParameterName(), error)))
                        .sorted()
                        .collect(Collectors.joining("; ")));
        return super.handleHandlerMethodValidationException(failure, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException failure, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail body =
                problem(HttpStatus.BAD_REQUEST, "Bad Request", "The body must be JSON such as " + example(request));
        return handleExceptionInternal(failure, body, headers, status, request);
    }

    private static String example(WebRequest request) {
        String path =
                request instanceof ServletWebRequest asked ? asked.getRequest().getRequestURI() : "";
        if (path.startsWith("/page/")) {
            return "{\"instance\": \"A\"} or {\"orders\": 100, \"lock\": true}";
        }
        return path.equals("/rush")
                ? "{\"customer\": \"42\", \"orders\": 100, \"locks\": [\"NONE\", \"QUEUE\", \"LOCKING_READ\"]}"
                : "{\"amount\": 12.5}";
    }

    private static String describe(@Nullable String parameter, MessageSourceResolvable error) {
        // Errors in a body name their field; errors of a plain parameter do not.
        return (error instanceof FieldError field ? field.getField() : parameter) + " " + error.getDefaultMessage();
    }

    private static ProblemDetail problem(HttpStatus status, String title, @Nullable String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setTitle(title);
        return problem;
    }
}
