package io.dynamolock.engine;

import io.dynamolock.protocol.Pace;
import io.dynamolock.protocol.Vigil;

/** What the queues of one engine share. */
record EngineParts(
        EngineContext context,
        SessionKeeper keeper,
        PeerWatch peers,
        HeldLongWatch heldLong,
        Strays strays,
        KeptLocks kept,
        EndedSessions ended,
        Grants grants,
        Vigil vigil,
        Pace pace) {}
