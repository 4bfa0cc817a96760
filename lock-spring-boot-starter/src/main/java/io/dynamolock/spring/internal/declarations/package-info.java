/**
 * The {@code @DynamoLocked} annotations of methods: read once, checked when the bean is created, and kept for the
 * calls. Internal to the starter.
 *
 * <p>When Spring creates a bean, the class filter of {@code DynamoLockedAdvisor} asks {@link
 * io.dynamolock.spring.internal.declarations.LockedMethods} whether its class has locked methods. That reads and checks
 * all of them. A mistake in a {@code @DynamoLocked} is found here (a mistake in a {@code @DynamoLeader} by {@code
 * leaders.LeaderScan}, a bad {@code waitTime} of {@code @EnableDynamoLocks} by {@code
 * aspect.DynamoLocksConfiguration}):
 *
 * <ul>
 *   <li>{@code LockedMethodReader} reads the annotations of a method and of its class, and refuses annotations that
 *       contradict each other. Read it first.
 *   <li>{@code AnnotationSettings} reads and checks single attributes; {@link
 *       io.dynamolock.spring.internal.keys.MethodExpression} checks attributes that are expressions.
 *   <li>{@code MethodChecks} refuses methods that no lock can protect, with the help of {@code UnfinishedWork}. {@code
 *       SelfCalls} only warns, of calls that pass no proxy.
 * </ul>
 *
 * <p>A {@link io.dynamolock.spring.internal.declarations.LockDeclaration} holds one annotation, a {@link
 * io.dynamolock.spring.internal.declarations.LockedMethod} the declarations of one method, and {@link
 * io.dynamolock.spring.internal.declarations.LockedMethods} the methods of all beans. A call asks its method for the
 * {@link io.dynamolock.spring.internal.declarations.WantedLock}s.
 */
@NullMarked
package io.dynamolock.spring.internal.declarations;

import org.jspecify.annotations.NullMarked;
