package io.dynamolock.spring.aspect;

import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.internal.keys.KeyRoot;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Registers, for ahead-of-time compilation, the types that every application looks up by reflection. */
final class LockHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection()
                .registerType(DynamoLocked.class, MemberCategory.INVOKE_DECLARED_METHODS)
                .registerType(DynamoLeader.class, MemberCategory.INVOKE_DECLARED_METHODS)
                // Key expressions look up the getters by name.
                .registerType(KeyRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
    }
}
