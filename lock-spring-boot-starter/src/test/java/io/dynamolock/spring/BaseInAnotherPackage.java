package io.dynamolock.spring;

import io.dynamolock.spring.annotation.DynamoLocked;

/** No proxy of a class of another package sees its method. */
public abstract class BaseInAnotherPackage {

    @DynamoLocked(key = "'a'")
    void run() {}
}
