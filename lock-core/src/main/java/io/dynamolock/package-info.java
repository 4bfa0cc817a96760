@NullMarked
package io.dynamolock;

import org.jspecify.annotations.NullMarked;
