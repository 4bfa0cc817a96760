@NullMarked
package io.dynamolock.store.dynamodb;

import org.jspecify.annotations.NullMarked;
