/**
 * Small helpers that all packages of the starter share. Applications use nothing from here or from the packages below.
 * Types are public only because other packages of the starter need them, and change without notice.
 */
@NullMarked
package io.dynamolock.spring.internal;

import org.jspecify.annotations.NullMarked;
