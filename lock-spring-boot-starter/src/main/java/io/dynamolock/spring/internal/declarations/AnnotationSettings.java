package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockMode;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import io.dynamolock.spring.annotation.OnTimeout;
import io.dynamolock.spring.internal.keys.ResolvedExpression;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;

/**
 * Reads the attributes of one annotation of a method. An attribute that this annotation does not set is read from the
 * annotation of the class.
 *
 * @param nearestFirst the annotation of the method, then that of the class if there is one
 */
record AnnotationSettings(
        List<MergedAnnotation<DynamoLocked>> nearestFirst, String description, ConfigurableBeanFactory beans) {

    /**
     * A placeholder may contain placeholders in its name and its default, three levels deep. A placeholder without a
     * closing brace takes the rest of the text.
     */
    private static final Pattern QUOTE_OR_PLACEHOLDER =
            Pattern.compile("['\"]|\\$\\{(?:[^{}]|\\{(?:[^{}]|\\{[^{}]*})*})*}|\\$\\{.*", Pattern.DOTALL);

    /** The attribute of the nearest annotation that sets it. */
    <T> Optional<T> ifSet(String attribute, Class<T> type) {
        return nearestFirst.stream()
                .filter(annotation -> annotation.hasNonDefaultValue(attribute))
                .findFirst()
                .flatMap(annotation -> annotation.getValue(attribute, type));
    }

    /** The keys as they are written, with placeholders; empty if there are none. */
    List<String> keys() {
        for (MergedAnnotation<DynamoLocked> annotation : nearestFirst) {
            List<String> keys = new ArrayList<>(List.of(annotation.getStringArray("keys")));
            if (annotation.hasNonDefaultValue("key")) {
                refuseIf(!keys.isEmpty(), "it has both key and keys.", "Write all of them in keys.");
                keys.add(annotation.getString("key"));
            }
            if (!keys.isEmpty()) {
                return keys;
            }
        }
        return List.of();
    }

    /** The attribute with the values of its placeholders. */
    Optional<String> text(String attribute) {
        return ifSet(attribute, String.class).map(text -> value(attribute, text, text, false));
    }

    /**
     * Inside a quoted text, the value of a placeholder becomes a part of that text; elsewhere it becomes a text literal
     * of its own.
     *
     * @throws InvalidDynamoLockedException if a placeholder has no value
     */
    ResolvedExpression expression(String attribute, String text) {
        refuseIf(text.isBlank(), "its " + attribute + " is blank.", "Leave it out.");
        StringBuilder source = new StringBuilder();
        String quote = "";
        Matcher parts = QUOTE_OR_PLACEHOLDER.matcher(text);
        while (parts.find()) {
            String part = parts.group();
            String replacement = part;
            if (!part.startsWith("$")) {
                if (quote.isEmpty()) {
                    quote = part;
                } else if (quote.equals(part)) {
                    quote = "";
                }
            } else if (quote.isEmpty()) {
                replacement = ResolvedExpression.literal(value(attribute, text, part, false));
            } else {
                replacement = value(attribute, text, part, true).replace(quote, quote + quote);
            }
            parts.appendReplacement(source, Matcher.quoteReplacement(replacement));
        }
        parts.appendTail(source);
        return new ResolvedExpression(description, attribute, text, source.toString());
    }

    /**
     * @param text the whole attribute, for the message
     * @param part what is resolved: the whole attribute or one placeholder in it
     */
    private String value(String attribute, String text, String part, boolean mayBeBlank) {
        try {
            String value = beans.resolveEmbeddedValue(part);
            if (value == null || value.contains("${") || value.isBlank() && !mayBeBlank) {
                throw new IllegalArgumentException(part + " has no value");
            }
            return value;
        } catch (IllegalArgumentException e) {
            throw invalid(attribute + " = \"" + text + "\" gives nothing.", "Set that property.", e);
        }
    }

    Optional<Duration> duration(String attribute) {
        return text(attribute).map(text -> {
            try {
                return LockDurations.parse(text);
            } catch (IllegalArgumentException e) {
                throw invalid(attribute + " = " + e.getMessage() + ".", "Change " + attribute + ".", e);
            }
        });
    }

    LockMode mode() {
        LockMode[] modes = ifSet("mode", LockMode[].class).orElse(new LockMode[] {LockMode.EXCLUSIVE});
        refuseIf(modes.length > 1, "it has several modes.", "Leave one of them.");
        return modes[0];
    }

    Optional<Boolean> awaitRelease() {
        boolean[] values = ifSet("awaitRelease", boolean[].class).orElse(new boolean[0]);
        refuseIf(values.length > 1, "it has several values of awaitRelease.", "Leave one of them.");
        return values.length == 0 ? Optional.empty() : Optional.of(values[0]);
    }

    /**
     * The action after a timeout, from the attributes {@code onTimeout}, {@code fallbackMethod} and {@code
     * timeoutException}. If the annotation of the method sets any of the three, all three of the class are ignored.
     *
     * @throws InvalidDynamoLockedException if an annotation sets more than one of the three, or its action cannot work
     */
    TimeoutAction onTimeout(Method method, Class<?> targetClass) {
        return nearestFirst.stream()
                .filter(annotation -> Stream.of("onTimeout", "fallbackMethod", "timeoutException")
                        .anyMatch(annotation::hasNonDefaultValue))
                .findFirst()
                .map(annotation -> onTimeout(annotation, method, targetClass))
                .orElse(new TimeoutAction.Rethrow());
    }

    private TimeoutAction onTimeout(MergedAnnotation<DynamoLocked> annotation, Method method, Class<?> targetClass) {
        boolean skips = annotation.getEnum("onTimeout", OnTimeout.class) == OnTimeout.SKIP;
        boolean fallsBack = annotation.hasNonDefaultValue("fallbackMethod");
        boolean throwsAnother = annotation.hasNonDefaultValue("timeoutException");
        refuseIf(
                Collections.frequency(List.of(skips, fallsBack, throwsAnother), true) > 1,
                "of onTimeout = SKIP, fallbackMethod and timeoutException it has more than one.",
                "Leave the one that is to count.");
        if (skips) {
            MethodChecks.checkSkipped(method, targetClass, description);
            return new TimeoutAction.Skip();
        }
        if (fallsBack) {
            return Fallback.find(annotation.getString("fallbackMethod"), method, targetClass, description);
        }
        return throwsAnother
                ? ThrowCustomException.of(
                        annotation.getClass("timeoutException").asSubclass(RuntimeException.class), description)
                : new TimeoutAction.Rethrow();
    }

    void refuseIf(boolean isWrong, String problem, String remedy) {
        if (isWrong) {
            throw invalid(problem, remedy, null);
        }
    }

    InvalidDynamoLockedException invalid(String problem, String remedy, @Nullable Throwable cause) {
        return new InvalidDynamoLockedException(description, problem, remedy, cause);
    }
}
