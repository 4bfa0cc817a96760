package io.dynamolock.sample.page;

/** The two instances that the page shows. */
enum InstanceName {
    A,
    B;

    InstanceName other() {
        return this == A ? B : A;
    }
}
