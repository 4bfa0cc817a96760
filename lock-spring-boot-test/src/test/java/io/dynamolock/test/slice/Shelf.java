package io.dynamolock.test.slice;

import org.springframework.stereotype.Component;

/** What tests put something else in place of. */
@Component
class Shelf {

    Shelf() {
        throw new IllegalStateException("This is one of the application's beans, which a slice does not look for.");
    }

    protected Shelf(boolean inTest) {}

    String take(String id) {
        return id;
    }
}
