@NullMarked
package io.dynamolock.internal.store.dynamodb;

import org.jspecify.annotations.NullMarked;
