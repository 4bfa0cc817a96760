package io.dynamolock.scale;

/** The locks that are compared, each with its defaults. */
enum Contestant {
    DYNAMOLOCK("DynamoLock"),
    ARTICLE("article"),
    LOCK_CLIENT("AWS lock client");

    private final String title;

    Contestant(String title) {
        this.title = title;
    }

    LockSystem start(VirtualTable table, int processes, long seed) {
        return switch (this) {
            case DYNAMOLOCK -> new DynamoLockSystem(table, processes, seed);
            case ARTICLE -> new ArticleSystem(table, processes, seed);
            case LOCK_CLIENT -> new LockClientSystem(table, processes, seed);
        };
    }

    @Override
    public String toString() {
        return title;
    }
}
