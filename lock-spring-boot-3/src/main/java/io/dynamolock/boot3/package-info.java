/**
 * What Spring Boot 3 has under other names than Spring Boot 4: health. Compiled against Spring Boot 3, and without
 * effect on Spring Boot 4. Applications call nothing here.
 */
@NullMarked
package io.dynamolock.boot3;

import org.jspecify.annotations.NullMarked;
