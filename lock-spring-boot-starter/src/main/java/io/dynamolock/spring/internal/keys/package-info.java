/**
 * Computes keys: from the expression in an annotation to the text of the key. Internal to the starter. Read {@link
 * io.dynamolock.spring.internal.keys.MethodExpression} first: it is the key or the condition of one method.
 *
 * <table>
 * <caption>Where a key is computed</caption>
 * <tr><th>step</th><th>when</th><th>where</th></tr>
 * <tr><td>a literal replaces each placeholder</td><td>once</td><td>{@code AnnotationSettings.expression}</td></tr>
 * <tr><td>the expression is parsed, and refused if it can never give a key</td><td>once</td>
 *     <td>{@code MethodExpression.parse}</td></tr>
 * <tr><td>each value that {@code +} joins becomes a {@code KeyPart}</td><td>once</td>
 *     <td>{@code ExpressionTree.ofKey}</td></tr>
 * <tr><td>the condition and the keys of all annotations are evaluated</td><td>each call; only at the first call if no
 *     value can differ between calls</td><td>{@code LockedMethod.wanted}, {@code LockDeclaration.requests},
 *     {@code MethodExpression.evaluate}</td></tr>
 * <tr><td>the values that {@code +} joins are checked and made texts</td><td>each evaluation</td>
 *     <td>{@code KeyPart.getValueInternal}</td></tr>
 * <tr><td>the value becomes the text of the key, a collection several texts</td><td>each evaluation</td>
 *     <td>{@code KeyRendering.renderEach}</td></tr>
 * <tr><td>the text becomes a request, with the namespace</td><td>each evaluation</td>
 *     <td>{@code LockDeclaration.request}</td></tr>
 * </table>
 *
 * <p>Equal values give equal texts, in every process; {@code KeyRendering} refuses a type that cannot promise that.
 * Code that locks by hand gets the same text from {@code LockKeys.text}. {@code ItemKeys} in {@code lock-core} makes
 * the key of an item from the namespace and the text.
 */
@NullMarked
package io.dynamolock.spring.internal.keys;

import org.jspecify.annotations.NullMarked;
