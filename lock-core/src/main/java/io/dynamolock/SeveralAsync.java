package io.dynamolock;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** One call that asks for several locks without blocking: for each when it is granted the one before. Thread-safe. */
final class SeveralAsync {

    private final LockRegistry registry;
    private final SeveralRequests wanted;
    private final CompletableFuture<List<LockHandle>> answer = new CompletableFuture<>();

    /** Touched by one answer after the other. */
    private final List<LockHandle> held = new ArrayList<>();

    private volatile @Nullable CompletableFuture<LockHandle> asked;

    private volatile boolean isAllHeld;

    private SeveralAsync(LockRegistry registry, SeveralRequests wanted) {
        this.registry = registry;
        this.wanted = wanted;
    }

    static CompletableFuture<List<LockHandle>> begin(LockRegistry registry, SeveralRequests wanted) {
        SeveralAsync begun = new SeveralAsync(registry, wanted);
        begun.goOn();
        begun.answer.whenComplete((handles, failure) -> {
            if (failure != null || !begun.isAllHeld) {
                begun.stop();
            }
        });
        return begun.answer;
    }

    /** Nobody wants the locks any more. */
    private void stop() {
        CompletableFuture<LockHandle> underWay = asked;
        if (underWay != null) {
            underWay.cancel(false);
        }
        if (isAllHeld) {
            // Their data may take as long to write as they are valid.
            giveBack();
        }
    }

    private void goOn() {
        if (held.size() == wanted.size()) {
            writeData();
            return;
        }
        CompletableFuture<LockHandle> next = registry.acquireAsync(wanted.toAsk(held.size()));
        asked = next;
        if (answer.isDone()) {
            next.cancel(false);
        }
        next.whenComplete(this::answered);
    }

    private void answered(@Nullable LockHandle handle, @Nullable Throwable failure) {
        if (handle == null) {
            fail(Objects.requireNonNull(failure));
            return;
        }
        held.add(handle);
        try {
            if (answer.isDone()) {
                giveBack();
            } else {
                goOn();
            }
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void writeData() {
        List<CompletableFuture<Void>> writes = new ArrayList<>(0);
        for (int i = 0; i < held.size(); i++) {
            LockHandle handle = held.get(i);
            wanted.get(i).data().ifPresent(data -> writes.add(handle.putDataAsync(data)));
        }
        isAllHeld = true;
        if (answer.isDone()) {
            giveBack();
        }
        CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).whenComplete(this::written);
    }

    private void written(@Nullable Void done, @Nullable Throwable failure) {
        if (failure != null) {
            fail(failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure);
            return;
        }
        try {
            wanted.begin(held);
            if (!answer.complete(wanted.asRequested(held))) {
                giveBack();
            }
        } catch (LockLostException lost) {
            fail(lost);
        }
    }

    private void fail(Throwable failure) {
        isAllHeld = false;
        Throwable told = failure instanceof LockTimeoutException last ? last.after(wanted.waited()) : failure;
        giveBack().whenComplete((released, never) -> answer.completeExceptionally(told));
    }

    private CompletableFuture<Void> giveBack() {
        CompletableFuture<?>[] releases = new CompletableFuture<?>[held.size()];
        for (int i = held.size() - 1; i >= 0; i--) {
            releases[i] = SeveralRequests.giveBack(held.get(i));
        }
        return CompletableFuture.allOf(releases);
    }
}
