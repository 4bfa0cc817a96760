/**
 * The {@code @DynamoLocked} annotations of methods: read once, checked, and kept for the calls. Internal to the
 * starter. Read {@code LockedMethodReader} first: it reads the annotations of a method and of its class.
 *
 * <p>Most mistakes stop the start, some fail the first call, and some can be seen only in the values of a call:
 *
 * <table>
 * <caption>Where a mistake is found</caption>
 * <tr><th>mistake</th><th>when</th><th>where</th></tr>
 * <tr><td>a {@code @DynamoLocked} that cannot work, on a bean</td><td>Spring creates the bean</td>
 *     <td>the class filter of {@code DynamoLockedAdvisor} calls {@code LockedMethods.existIn}, which reads and checks
 *     all methods of the class by {@code LockedMethodReader.read}</td></tr>
 * <tr><td>the same, in a woven class that is no bean, or with {@code WovenLocks.use}</td><td>the first call of the
 *     method</td><td>{@code LockInterceptor.invokeWoven} calls {@code LockedMethods.find}, and that the same {@code
 *     LockedMethodReader.read}</td></tr>
 * <tr><td>a bean that should be woven and is not</td><td>Spring creates the bean; weaving itself finds no mistake</td>
 *     <td>{@code MethodChecks.checkWovenBean}</td></tr>
 * <tr><td>a call that passes no proxy, from within the same class</td><td>Spring creates the bean, with only a
 *     warning</td><td>{@code SelfCalls.in}</td></tr>
 * <tr><td>a value that cannot be a key, or a condition that is neither true nor false</td><td>each such call</td>
 *     <td>{@code MethodExpression.evaluate}</td></tr>
 * <tr><td>a {@code Future} that does not tell when its work ends</td><td>each such call</td>
 *     <td>{@code FutureCall.stage}</td></tr>
 * <tr><td>a wait on a thread that must not block</td><td>each such call</td>
 *     <td>{@code NonBlockingThreads.refuse}</td></tr>
 * <tr><td>no registry for woven methods</td><td>each such call</td><td>{@code WovenLocks.invoke}</td></tr>
 * <tr><td>several registries, none of them primary</td><td>all beans exist</td>
 *     <td>{@code DynamoLockedAdvisor.afterSingletonsInstantiated}</td></tr>
 * <tr><td>a bad {@code waitTime} of {@code @EnableDynamoLocks}</td><td>Spring creates the first bean with a method that
 *     uses it</td><td>{@code DynamoLocksConfiguration.parsed}</td></tr>
 * <tr><td>a {@code @DynamoLeader} that cannot work</td><td>all beans exist</td><td>{@code LeaderScan.of}</td></tr>
 * </table>
 *
 * <p>{@code LockedMethodReader.read} refuses annotations that contradict each other, and leaves the rest to these:
 *
 * <ul>
 *   <li>{@code AnnotationSettings} reads and checks single attributes. Attributes that are expressions are checked by
 *       {@link io.dynamolock.spring.internal.keys.MethodExpression}, a fallback method by {@code Fallback.find}, an
 *       exception for timeouts by {@code ThrowCustomException.of}.
 *   <li>{@code MethodChecks} refuses methods that no lock can protect, with the help of {@code UnfinishedWork}.
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
