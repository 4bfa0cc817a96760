/** Holds the pages for people against the code. */
@NullMarked
package io.dynamolock.docs;

import org.jspecify.annotations.NullMarked;
