@NullMarked
package io.dynamolock.engine;

import org.jspecify.annotations.NullMarked;
