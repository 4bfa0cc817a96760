/**
 * What the annotations of a method say, read once, checked when the bean is created, and kept for its calls. Internal
 * to the starter.
 *
 * <p>A mistake in an annotation is found here and nowhere else:
 *
 * <ul>
 *   <li>{@code LockedMethodReader} reads the annotations of a method and of its class, and refuses what they cannot say
 *       together. Read it first.
 *   <li>{@code AnnotationSettings} reads and checks single attributes; {@link
 *       io.dynamolock.spring.internal.keys.MethodExpression} those that are expressions.
 *   <li>{@code MethodChecks} refuses methods that no lock can protect, with the help of {@code UnfinishedWork}; {@code
 *       SelfCalls} warns of calls that would pass no proxy.
 * </ul>
 *
 * <p>A {@link io.dynamolock.spring.internal.declarations.LockDeclaration} is what one annotation says, a {@link
 * io.dynamolock.spring.internal.declarations.LockedMethod} has all of one method, and {@link
 * io.dynamolock.spring.internal.declarations.LockedMethods} has the methods of all beans. A call asks its method for
 * the {@link io.dynamolock.spring.internal.declarations.WantedLock}s.
 */
@NullMarked
package io.dynamolock.spring.internal.declarations;

import org.jspecify.annotations.NullMarked;
