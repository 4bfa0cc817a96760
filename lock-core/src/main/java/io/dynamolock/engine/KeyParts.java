package io.dynamolock.engine;

import io.dynamolock.protocol.LockKey;

/** What the parts of one queue share. Lives on the event loop. */
final class KeyParts {

    final LockKey key;
    final EngineParts engine;
    final EngineContext context;
    final Outlook outlook;
    final Hold hold = new Hold();
    final Line line = new Line();
    final Waits waits;
    final KeyCalls calls;
    final Comeback comeback;
    final HeldData data;

    KeyParts(LockKey key, EngineParts engine, KeyCalls.Events events) {
        this.key = key;
        this.engine = engine;
        this.context = engine.context();
        this.outlook = new Outlook(context);
        this.waits = new Waits(engine, outlook, hold);
        this.calls = new KeyCalls(key, context, outlook, events);
        this.comeback = new Comeback(context, calls);
        this.data = new HeldData(hold, line, calls);
    }

    /** Takes out whatever an ask of the block may have put into the queue, though it was not answered. */
    void undo(Block block) {
        if (block.mayHaveLanded()) {
            engine.strays().remove(key, block.id(), true);
        }
    }
}
