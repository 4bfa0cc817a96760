package io.dynamolock.test.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application that keeps its locks in a table. */
@SpringBootApplication
class ShopApplication {}
