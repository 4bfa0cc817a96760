package io.dynamolock.sample;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;

/**
 * The whole application, with DynamoDB Local inside it: tests with this annotation share one. The think time is so long
 * that orders without a lock cannot help meeting.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"dynamolock.embedded.port=0", "sample.think-time=10ms"})
@AutoConfigureMockMvc
public @interface WholeApplication {}
