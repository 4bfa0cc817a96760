package io.dynamolock.lockingread;

import java.util.List;
import java.util.Set;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** A bean that knows nothing of the lock. */
@DynamoDbBean
public class Customer {

    private String id;
    private Long total;
    private String name;
    private Address address;
    private List<String> notes;
    private Set<Integer> scores;

    @DynamoDbPartitionKey
    public String getId() {
        return id;
    }

    public void setId(String id) {
        this.id = id;
    }

    public Long getTotal() {
        return total;
    }

    public void setTotal(Long total) {
        this.total = total;
    }

    /** A reserved word of DynamoDB's. */
    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public Address getAddress() {
        return address;
    }

    public void setAddress(Address address) {
        this.address = address;
    }

    public List<String> getNotes() {
        return notes;
    }

    public void setNotes(List<String> notes) {
        this.notes = notes;
    }

    public Set<Integer> getScores() {
        return scores;
    }

    public void setScores(Set<Integer> scores) {
        this.scores = scores;
    }

    static Customer of(String id, long total) {
        Customer customer = new Customer();
        customer.setId(id);
        customer.setTotal(total);
        return customer;
    }

    @DynamoDbBean
    public static class Address {

        private String street;
        private String city;

        public String getStreet() {
            return street;
        }

        public void setStreet(String street) {
            this.street = street;
        }

        public String getCity() {
            return city;
        }

        public void setCity(String city) {
            this.city = city;
        }
    }
}
