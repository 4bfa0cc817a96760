package io.dynamolock.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.api.AbstractStringAssert;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** What tests ask the application for, and how it refuses. */
public final class Requests {

    private Requests() {}

    public static MvcTestResult post(MockMvcTester http, String uri, String json) {
        return http.post()
                .uri(uri)
                .contentType(MediaType.APPLICATION_JSON)
                .content(json)
                .exchange();
    }

    /** @return for what the problem's detail must say */
    public static AbstractStringAssert<?> assertRefused(MvcTestResult answer, HttpStatus status) {
        return assertThat(answer)
                .hasStatus(status)
                .hasContentType(MediaType.APPLICATION_PROBLEM_JSON)
                .bodyJson()
                .extractingPath("$.detail")
                .asString();
    }
}
