package io.dynamolock.spring.aspect;

import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.annotation.DynamoLocked;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.expression.spel.ast.SpelNodeImpl;

/** What is looked up by reflection, whatever the application is like. */
final class LockHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection()
                .registerType(DynamoLocked.class, MemberCategory.INVOKE_DECLARED_METHODS)
                .registerType(DynamoLeader.class, MemberCategory.INVOKE_DECLARED_METHODS)
                // What key expressions find by name.
                .registerType(KeyRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS)
                // What KeyOperand exchanges.
                .registerType(SpelNodeImpl.class, MemberCategory.ACCESS_DECLARED_FIELDS);
    }
}
