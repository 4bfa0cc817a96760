package io.dynamolock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One call that asks for several locks without blocking: for each when it is granted the one before. Thread-safe. */
final class SeveralAsync {

    private final LockRegistry registry;
    private final List<LockRequest> requests;
    private final List<LockRequest> inOrder;
    private final UnaryOperator<LockRequest> withTheRestOfItsWait;
    private final CompletableFuture<List<LockHandle>> answer = new CompletableFuture<>();

    /** Touched by one answer after the other. */
    private final List<LockHandle> held = new ArrayList<>();

    private volatile @Nullable CompletableFuture<LockHandle> asked;

    private SeveralAsync(
            LockRegistry registry, List<LockRequest> requests, UnaryOperator<LockRequest> withTheRestOfItsWait) {
        this.registry = registry;
        this.requests = requests;
        this.inOrder = requests.stream().sorted(SeveralLocks.ORDER).toList();
        this.withTheRestOfItsWait = withTheRestOfItsWait;
    }

    /** @throws LockClosedException if the registry is closed already */
    static CompletableFuture<List<LockHandle>> begin(
            LockRegistry registry, List<LockRequest> requests, UnaryOperator<LockRequest> withTheRestOfItsWait) {
        SeveralAsync begun = new SeveralAsync(registry, requests, withTheRestOfItsWait);
        begun.askForNext();
        begun.answer.whenComplete((handles, failure) -> {
            CompletableFuture<LockHandle> asked = begun.asked;
            if (asked != null) {
                asked.cancel(false);
            }
        });
        return begun.answer;
    }

    private void askForNext() {
        if (held.size() == inOrder.size()) {
            grant();
            return;
        }
        CompletableFuture<LockHandle> next =
                registry.acquireAsync(withTheRestOfItsWait.apply(inOrder.get(held.size())));
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
                askForNext();
            }
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void grant() {
        held.forEach(LockHandle::ensureValid);
        Map<LockRequest, LockHandle> handles = new HashMap<>();
        for (int i = 0; i < held.size(); i++) {
            handles.put(inOrder.get(i), held.get(i));
        }
        if (!answer.complete(requests.stream()
                .map(request -> Objects.requireNonNull(handles.get(request)))
                .toList())) {
            giveBack();
        }
    }

    private void fail(Throwable failure) {
        giveBack().whenComplete((released, never) -> answer.completeExceptionally(failure));
    }

    private CompletableFuture<Void> giveBack() {
        CompletableFuture<?>[] releases = new CompletableFuture<?>[held.size()];
        for (int i = 0; i < releases.length; i++) {
            releases[i] = held.get(releases.length - 1 - i).releaseAsync();
        }
        return CompletableFuture.allOf(releases);
    }
}
