package io.dynamolock.sample.page;

import static io.dynamolock.sample.Requests.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.verifyNoInteractions;

import io.dynamolock.sample.Requests;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** What the page may ask, and what pages from elsewhere may not. */
@WebMvcTest(PageController.class)
class PageRequestsTest {

    @Autowired
    private MockMvcTester http;

    @MockitoBean
    private PageEvents events;

    @MockitoBean
    private PageRush rush;

    @MockitoBean
    private PageHold hold;

    @ParameterizedTest
    @ValueSource(strings = {"rush", "hold", "release", "freeze", "lose"})
    void aFormOfAPageFromElsewhereChangesNothing(String what) {
        for (MediaType simple : new MediaType[] {
            MediaType.TEXT_PLAIN, MediaType.APPLICATION_FORM_URLENCODED, MediaType.MULTIPART_FORM_DATA
        }) {
            assertThat(http.post()
                            .uri("/page/" + what)
                            .contentType(simple)
                            .content("{\"instance\": \"A\", \"orders\": 1, \"lock\": true}"))
                    .hasStatus(HttpStatus.UNSUPPORTED_MEDIA_TYPE);
        }
        assertThat(http.get().uri("/page/" + what)).hasStatus(HttpStatus.METHOD_NOT_ALLOWED);
        verifyNoInteractions(rush, hold);
    }

    @Test
    void aScriptOfAPageFromElsewhereIsNotAllowedToAsk() {
        assertThat(http.options()
                        .uri("/page/rush")
                        .header("Origin", "http://elsewhere.example")
                        .header("Access-Control-Request-Method", "POST")
                        .header("Access-Control-Request-Headers", "content-type"))
                .doesNotContainHeader("Access-Control-Allow-Origin");
    }

    @Test
    void nobodyFramesThePageAndNoScriptFromElsewhereRunsInIt() {
        assertThat(http.get().uri("/page/page.js"))
                .hasStatusOk()
                .hasHeader("X-Frame-Options", "DENY")
                .hasHeader("X-Content-Type-Options", "nosniff")
                .headers()
                .satisfies(headers -> assertThat(headers.getFirst("Content-Security-Policy"))
                        .contains("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rush|{\"orders\": 0, \"lock\": true}",
                "rush|{\"orders\": 201, \"lock\": true}",
                "rush|{\"orders\": 10}",
                "rush|[]",
                "hold|{}",
                "freeze|{\"instance\": \"C\"}"
            })
    void whatCannotBeIsRefused(String what, String body) {
        assertRefused(Requests.post(http, "/page/" + what, body), HttpStatus.BAD_REQUEST)
                .isNotBlank();
    }

    @Test
    void actionsThatAreNotPossibleNowAreRefusedWithAReason() {
        given(hold.freeze(any())).willReturn(Optional.of("Have it hold the lock first."));

        assertRefused(Requests.post(http, "/page/freeze", "{\"instance\": \"B\"}"), HttpStatus.CONFLICT)
                .isEqualTo("Have it hold the lock first.");
    }

    @Test
    void tooManyReadersAreSentAway() {
        given(events.subscribe(any())).willReturn(Optional.empty());

        assertThat(http.get().uri("/page/events")).hasStatus(HttpStatus.SERVICE_UNAVAILABLE);
    }
}
