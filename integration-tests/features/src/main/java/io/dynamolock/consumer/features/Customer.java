package io.dynamolock.consumer.features;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Customer {

    @Id
    private String id;

    protected Customer() {}

    Customer(String id) {
        this.id = id;
    }
}
