package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import io.dynamolock.LockTableException.Problem;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.TableCheck;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a table when the application starts, and creates it if it is to. What is wrong with the table or the set-up
 * stops the start if the check says so. An outage never does: a fleet must come up while DynamoDB is away, and what it
 * locks is tried when it is needed.
 */
final class TableAtStart {

    private static final Logger LOG = LoggerFactory.getLogger(TableAtStart.class);

    /** Without its table no lock works, and a DynamoDB Local that has just been started may be slow. */
    private static final Duration LEAST_TO_CREATE = Duration.ofMinutes(1);

    private final LockTable table;
    private final TableCheck check;
    private final Duration timeout;
    private final boolean creates;
    private final TableAdvice advice;
    private final Executor threads;

    TableAtStart(
            LockTable table,
            TableCheck check,
            Duration timeout,
            boolean creates,
            TableAdvice advice,
            Executor threads) {
        this.table = table;
        this.check = check;
        this.timeout = creates && timeout.compareTo(LEAST_TO_CREATE) < 0 ? LEAST_TO_CREATE : timeout;
        this.creates = creates;
        this.advice = advice;
        this.threads = threads;
    }

    /** @throws LockTableException if that is to stop the start */
    void prepare() {
        if (check == TableCheck.NEVER && !creates) {
            return;
        }
        try {
            lookOrCreate();
        } catch (LockTableException problem) {
            if (problem.isOutage()) {
                LOG.warn(
                        "The lock table '{}' was not checked{}: DynamoDB could not be asked. {} The application starts all"
                                + " the same, and tries its locks when it needs them. If DynamoDB is not away: {}",
                        table.name(),
                        creates ? ", nor created if it is missing" : "",
                        sentence(problem),
                        advice.on(problem));
            } else if (check == TableCheck.FAIL || Thread.currentThread().isInterrupted()) {
                throw problem;
            } else {
                LOG.warn(
                        "{} The application starts all the same, because dynamo-lock.table.check is {}. {}",
                        TableAdvice.inWords(problem),
                        check.name().toLowerCase(Locale.ROOT),
                        advice.on(problem));
            }
        }
    }

    private static String sentence(LockTableException problem) {
        String message = String.valueOf(problem.getMessage());
        return message.endsWith(".") ? message : message + ".";
    }

    private void lookOrCreate() {
        try {
            look();
        } catch (LockTableException problem) {
            if (!creates || !mayBeMissing(problem)) {
                throw problem;
            }
            create();
        }
    }

    /** A table whose TTL is off may be one that another process is creating. */
    private static boolean mayBeMissing(LockTableException problem) {
        return problem.problem() == Problem.MISSING
                || problem.problem() == Problem.TTL_OFF
                || problem.problem() == Problem.ACCESS_DENIED;
    }

    /** Takes as long as it takes: DynamoDB needs some time to make a table. */
    private void create() {
        if (check == TableCheck.NEVER) {
            table.create();
        } else {
            table.createIfMissing();
        }
    }

    /** On another thread, because nobody knows how long a table, its client or a name server takes to give up. */
    private void look() {
        FutureTask<Boolean> look = new FutureTask<>(table::check, true);
        threads.execute(look);
        try {
            look.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException noAnswer) {
            look.cancel(true);
            throw new LockTableException(
                    table.name(), Problem.UNREACHABLE, "There was no answer within " + timeout + ".", noAnswer);
        } catch (InterruptedException interrupted) {
            look.cancel(true);
            Thread.currentThread().interrupt();
            throw new LockTableException(
                    table.name(),
                    Problem.OTHER,
                    "Interrupted while the lock table \"" + table.name() + "\" was being checked.",
                    interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof LockTableException problem) {
                throw problem;
            }
            throw new LockTableException(
                    table.name(),
                    Problem.OTHER,
                    "The lock table \"" + table.name() + "\" could not be checked: " + failed.getCause(),
                    failed.getCause());
        }
    }
}
