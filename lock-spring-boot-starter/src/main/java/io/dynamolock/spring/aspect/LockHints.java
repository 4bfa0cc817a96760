package io.dynamolock.spring.aspect;

import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.internal.keys.KeyRoot;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Names for ahead-of-time compilation what is looked up by reflection in every application. */
final class LockHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection()
                .registerType(DynamoLocked.class, MemberCategory.INVOKE_DECLARED_METHODS)
                .registerType(DynamoLeader.class, MemberCategory.INVOKE_DECLARED_METHODS)
                // Key expressions look its getters up by name.
                .registerType(KeyRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
    }
}
