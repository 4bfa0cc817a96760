package io.dynamolock.sample.orders;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a string that must be a customer's id. */
@Pattern(regexp = "[A-Za-z0-9_-]{1,64}")
@ReportAsSingleViolation
@Constraint(validatedBy = {})
@Target({ElementType.PARAMETER, ElementType.FIELD})
@Retention(RetentionPolicy.RUNTIME)
public @interface CustomerId {

    String message() default "must be 1 to 64 letters, digits, '-' or '_'";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
