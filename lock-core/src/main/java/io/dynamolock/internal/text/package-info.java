/**
 * Text from the table and from users, made safe for messages and logs. Every other package may use it, and it uses none
 * of them. {@link io.dynamolock.internal.text.SafeText} is all of it.
 */
@NullMarked
package io.dynamolock.internal.text;

import org.jspecify.annotations.NullMarked;
