package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.SessionStep;
import org.jspecify.annotations.Nullable;

/**
 * How a process leaves the table when its callers hold nothing any more: what is to be kept is kept first, then the session
 * is deleted, and then what is still under way is waited for. Lives on the event loop.
 */
final class Farewell {

    private static final int ATTEMPTS = 3;

    private final EngineContext context;
    private final EngineParts parts;

    Farewell(EngineContext context, EngineParts parts) {
        this.context = context;
        this.parts = parts;
    }

    /**
     * @param session the one to delete, if there is one
     * @param done runs when all that is done, and no call is under way
     * @param failed runs instead if the session could not be deleted
     */
    void take(@Nullable SessionId session, Runnable done, Runnable failed) {
        // Else its end would free what is to be kept.
        parts.kept().whenDone(() -> end(session, 1, done, failed));
    }

    private void end(@Nullable SessionId session, int attempt, Runnable done, Runnable failed) {
        if (session == null) {
            whenQuiet(done);
            return;
        }
        SessionStep end = new SessionStep.End();
        context.calls.send(
                StoreCall.of(Lane.BEAT, "end session", () -> context.store.take(session, end, context.time.now())),
                answer -> whenQuiet(done),
                failure -> {
                    if (attempt < ATTEMPTS) {
                        context.loop.schedule(
                                () -> end(session, attempt + 1, done, failed), context.backoff.delay(attempt));
                    } else {
                        failed.run();
                    }
                });
    }

    /** A write under way has to be answered before it can be taken back. */
    private void whenQuiet(Runnable done) {
        context.calls.whenIdle(() -> parts.strays().whenDone(done));
    }
}
