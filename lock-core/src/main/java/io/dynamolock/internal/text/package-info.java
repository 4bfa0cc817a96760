/**
 * Names and texts as messages show them: {@code SafeText} makes text from the table and from users safe for messages
 * and logs, {@code SafeFailure} makes failures safe for logs, {@code LockNames} checks and describes the names of
 * locks, and {@code ThisProcess} names this process. Every room that is further out may use it; it uses only {@code
 * protocol}. Read {@link io.dynamolock.internal.text.SafeText} first.
 */
@NullMarked
package io.dynamolock.internal.text;

import org.jspecify.annotations.NullMarked;
