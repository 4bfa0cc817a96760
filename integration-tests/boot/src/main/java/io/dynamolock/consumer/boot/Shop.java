package io.dynamolock.consumer.boot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class Shop {

    public static void main(String[] args) {
        SpringApplication.run(Shop.class, args);
    }
}
