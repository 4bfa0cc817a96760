/**
 * Elections of leaders. A {@code Candidacy} is one candidate, and {@code Elections} are all candidates of one registry.
 *
 * <p>Read {@code Candidacy} first. Nothing here is for other modules.
 */
@NullMarked
package io.dynamolock.internal.elections;

import org.jspecify.annotations.NullMarked;
