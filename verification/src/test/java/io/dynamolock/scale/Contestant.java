package io.dynamolock.scale;

/** The locks that are compared, each with its defaults. */
enum Contestant implements LockSystem.Kind {
    DYNAMOLOCK("DynamoLock"),
    LOCK_CLIENT("AWS lock client");

    private final String title;

    Contestant(String title) {
        this.title = title;
    }

    @Override
    public LockSystem start(VirtualTable table, int processes, long seed) {
        return switch (this) {
            case DYNAMOLOCK -> new DynamoLockSystem(table, processes, seed, DynamoLockSystem.USUAL_QUEUE);
            case LOCK_CLIENT -> new LockClientSystem(table, processes, seed);
        };
    }

    @Override
    public String toString() {
        return title;
    }
}
