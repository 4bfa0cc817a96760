@NullMarked
package io.dynamolock.store.memory;

import org.jspecify.annotations.NullMarked;
