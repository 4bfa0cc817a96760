package io.dynamolock.spring.aspect;

import io.dynamolock.LockMode;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.annotation.OnTimeout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;

/** The attributes of one annotation of a method, and those of its class for what that leaves out. */
final class AnnotationSettings {

    /** What becomes of a call whose wait is over. */
    record WhenOver(OnTimeout onTimeout, @Nullable String fallbackMethod, Class<? extends RuntimeException> exception) {

        long said() {
            return Stream.of(
                            onTimeout == OnTimeout.SKIP,
                            fallbackMethod != null,
                            exception != LockTimeoutException.class)
                    .filter(isSaid -> isSaid)
                    .count();
        }
    }

    private final MergedAnnotation<DynamoLocked> own;
    private final MergedAnnotation<DynamoLocked> ofClass;
    private final Function<String, String> placeholders;
    private final String description;

    AnnotationSettings(
            MergedAnnotation<DynamoLocked> own,
            MergedAnnotation<DynamoLocked> ofClass,
            Function<String, String> placeholders,
            String description) {
        this.own = own;
        this.ofClass = ofClass;
        this.placeholders = placeholders;
        this.description = description;
    }

    String description() {
        return description;
    }

    boolean hasKeys() {
        return !rawKeys(own).isEmpty() || !rawKeys(ofClass).isEmpty();
    }

    /**
     * As they are written, with their placeholders.
     *
     * @throws InvalidDynamoLockedException if there are none
     */
    List<String> keys() {
        List<String> keys = rawKeys(own).isEmpty() ? rawKeys(ofClass) : rawKeys(own);
        if (keys.isEmpty()) {
            throw invalid("it has no key.", "Write key = \"#parameter\".", null);
        }
        return keys;
    }

    private List<String> rawKeys(MergedAnnotation<DynamoLocked> annotation) {
        List<String> one = text(annotation, "key").stream().toList();
        List<String> several =
                annotation.getValue("keys", String[].class).map(Arrays::asList).orElse(List.of());
        if (!one.isEmpty() && !several.isEmpty()) {
            throw invalid("it has both key and keys.", "Write all of them in keys.", null);
        }
        if (several.stream().anyMatch(String::isBlank)) {
            throw invalid("one of its keys is blank.", "Leave it out.", null);
        }
        return one.isEmpty() ? several : one;
    }

    /** As it is written, with its placeholders. */
    Optional<String> condition() {
        return text(own, "condition").or(() -> text(ofClass, "condition"));
    }

    private static Optional<String> text(MergedAnnotation<DynamoLocked> annotation, String attribute) {
        return annotation.getValue(attribute, String.class).filter(Predicate.not(String::isBlank));
    }

    Optional<String> resolved(String attribute) {
        return text(own, attribute).or(() -> text(ofClass, attribute)).map(text -> valueOf(attribute, text, text));
    }

    /**
     * In quotes of the author the value of a placeholder is a part of his text, elsewhere a value of its own.
     *
     * @throws InvalidDynamoLockedException if a placeholder has no value
     */
    ResolvedExpression expression(String attribute, String text) {
        StringBuilder source = new StringBuilder();
        String quote = "";
        int next = 0;
        while (next < text.length()) {
            int start = next;
            next = text.startsWith("${", start) ? endOfPlaceholder(text, start) : start + 1;
            String part = text.substring(start, next);
            if (next == start + 1) {
                source.append(part);
                if (quote.isEmpty() ? "'\"".contains(part) : quote.equals(part)) {
                    quote = quote.isEmpty() ? part : "";
                }
            } else if (quote.isEmpty()) {
                source.append(ResolvedExpression.literal(valueOf(attribute, text, part)));
            } else {
                source.append(valueIn(attribute, text, part).replace(quote, quote + quote));
            }
        }
        return new ResolvedExpression(description, attribute, text, source.toString());
    }

    /** Its name and its default may have placeholders in them. */
    private static int endOfPlaceholder(String text, int start) {
        int depth = 0;
        for (int i = start; i < text.length(); i++) {
            depth += text.charAt(i) == '{' ? 1 : 0;
            depth -= text.charAt(i) == '}' ? 1 : 0;
            if (depth == 0 && i > start) {
                return i + 1;
            }
        }
        return text.length();
    }

    private String valueOf(String attribute, String text, String part) {
        String value = valueIn(attribute, text, part);
        if (value.isBlank()) {
            throw givesNothing(attribute, text);
        }
        return value;
    }

    private String valueIn(String attribute, String text, String part) {
        String value;
        try {
            value = placeholders.apply(part);
        } catch (IllegalArgumentException e) {
            throw invalid(attribute + " = \"" + text + "\": " + e.getMessage() + ".", "Set that property.", e);
        }
        if (value.contains("${")) {
            throw givesNothing(attribute, text);
        }
        return value;
    }

    private InvalidDynamoLockedException givesNothing(String attribute, String text) {
        return invalid(attribute + " = \"" + text + "\" gives nothing.", "Set that property.", null);
    }

    Optional<Duration> duration(String attribute, Predicate<Duration> allowed) {
        return resolved(attribute).map(text -> {
            Duration duration;
            try {
                duration = LockDurations.parse(text);
            } catch (IllegalArgumentException e) {
                throw invalid(attribute + " = " + e.getMessage() + ".", "Change " + attribute + ".", e);
            }
            if (!allowed.test(duration)) {
                throw invalid(attribute + " cannot be '" + text + "'.", "Leave it out.", null);
            }
            return duration;
        });
    }

    LockMode mode() {
        return mode(own).or(() -> mode(ofClass)).orElse(LockMode.EXCLUSIVE);
    }

    private Optional<LockMode> mode(MergedAnnotation<DynamoLocked> annotation) {
        LockMode[] modes = annotation.getValue("mode", LockMode[].class).orElse(new LockMode[0]);
        if (modes.length > 1) {
            throw invalid("it has several modes.", "Leave one of them.", null);
        }
        return Arrays.stream(modes).findFirst();
    }

    OnLost onLost() {
        return Stream.of(own, ofClass)
                .flatMap(annotation -> annotation.getValue("onLost", OnLost.class).stream())
                .filter(onLost -> onLost != OnLost.DEFAULT)
                .findFirst()
                .orElse(OnLost.THROW);
    }

    /**
     * A method that says anything of it says all of it.
     *
     * @throws InvalidDynamoLockedException if an annotation says more than one thing
     */
    WhenOver whenOver() {
        WhenOver ofMethod = whenOver(own);
        boolean isSaid = ofMethod.said() > 0 || ofMethod.onTimeout() == OnTimeout.THROW;
        WhenOver over = isSaid ? ofMethod : whenOver(ofClass);
        if (over.said() > 1) {
            throw invalid(
                    "of onTimeout = SKIP, fallbackMethod and timeoutException it has more than one.",
                    "Leave the one that is to count.",
                    null);
        }
        return over;
    }

    @SuppressWarnings("unchecked")
    private static WhenOver whenOver(MergedAnnotation<DynamoLocked> annotation) {
        return new WhenOver(
                annotation.getValue("onTimeout", OnTimeout.class).orElse(OnTimeout.DEFAULT),
                text(annotation, "fallbackMethod").orElse(null),
                (Class<? extends RuntimeException>)
                        annotation.getValue("timeoutException", Class.class).orElse(LockTimeoutException.class));
    }

    InvalidDynamoLockedException invalid(String problem, String remedy, @Nullable Throwable cause) {
        return new InvalidDynamoLockedException(description, problem, remedy, cause);
    }
}
