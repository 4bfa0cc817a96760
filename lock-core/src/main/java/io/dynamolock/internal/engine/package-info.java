/** What a process knows and wants of its locks, and what it does next. */
@NullMarked
package io.dynamolock.internal.engine;

import org.jspecify.annotations.NullMarked;
