package io.dynamolock.internal.builder;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockObserver;
import io.dynamolock.LockTable;
import io.dynamolock.internal.admin.DefaultLockAdmin;
import io.dynamolock.internal.elections.ElectionPauses;
import io.dynamolock.internal.elections.Elections;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.handles.UnawaitedReleases;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.registry.Acquisitions;
import io.dynamolock.internal.registry.Admission;
import io.dynamolock.internal.registry.DefaultLockRegistry;
import io.dynamolock.internal.registry.Lifecycle;
import io.dynamolock.internal.threads.ListenerQueue;
import io.dynamolock.internal.threads.RegistryThreads;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one registry, and how they are put together.
 *
 * @param observer is told about the callers; {@code null} if there is none
 * @param table the table of the locks; empty if they are not in DynamoDB
 * @param releases the releases that nobody awaits
 * @param admission which requests the registry takes
 * @param closeTimeout how long pausing and closing wait for the elections, and then again for the engine
 */
public record RegistryParts(
        LockEngine engine,
        RegistryThreads threads,
        ListenerQueue listeners,
        @Nullable LockObserver observer,
        ElectionPauses pauses,
        Fences fences,
        Optional<LockTable> table,
        UnawaitedReleases releases,
        Admission admission,
        Duration closeTimeout) {

    public DefaultLockRegistry assemble() {
        Acquisitions acquisitions = new Acquisitions(engine, threads.ofUsers(), fences, releases, observer);
        RegistryThreads.CallbackExecutors leaders = threads.ofLeaders();
        Elections elections = new Elections(
                request -> acquisitions.beginUnobserved(admission.checked(request), leaders), leaders.async(), pauses);
        Lifecycle lifecycle = new Lifecycle(admission, elections, engine, listeners, threads, closeTimeout);
        LockAdmin admin = new DefaultLockAdmin(admission, engine, lifecycle, listeners.troubles(), table);
        return new DefaultLockRegistry(admission, acquisitions, elections, admin, lifecycle, listeners, engine.time());
    }
}
