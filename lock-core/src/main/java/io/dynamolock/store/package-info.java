@NullMarked
package io.dynamolock.store;

import org.jspecify.annotations.NullMarked;
