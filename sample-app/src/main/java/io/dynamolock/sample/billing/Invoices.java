package io.dynamolock.sample.billing;

import io.dynamolock.spring.annotation.DynamoLocked;
import java.math.BigDecimal;
import java.util.List;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** A lock around a transaction. */
@Repository
class Invoices {

    private final JdbcClient jdbc;

    Invoices(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Numbers have no gaps and are never given twice, because the lock is released after the commit of the transaction.
     */
    @DynamoLocked(key = "'invoices'")
    @Transactional
    public Invoice issue(String customerId, BigDecimal amount) {
        long number = jdbc.sql("select coalesce(max(number), 0) + 1 from invoice")
                .query(Long.class)
                .single();
        jdbc.sql("insert into invoice (number, customer_id, amount) values (?, ?, ?)")
                .params(number, customerId, amount)
                .update();
        return new Invoice(number, customerId, amount);
    }

    public List<Invoice> notMailed() {
        return jdbc.sql("select number, customer_id, amount from invoice where not mailed order by number")
                .query(DataClassRowMapper.newInstance(Invoice.class))
                .list();
    }

    public void markMailed(Invoice invoice) {
        jdbc.sql("update invoice set mailed = true where number = ?")
                .param(invoice.number())
                .update();
    }

    public BigDecimal total() {
        return jdbc.sql("select coalesce(sum(amount), 0) from invoice")
                .query(BigDecimal.class)
                .single();
    }
}
