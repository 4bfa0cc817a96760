package io.dynamolock.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScalePageTest {

    private static final ScalePage PAGE = new ScalePage("""
            # Page

            | a | b |
            | --: | --: |
            | 1 | 2 |
            | 3 | 4 |

            | c |
            | --- |
            | 5 |
            """);

    @Test
    void aTableGetsOtherRowsAndTheRestStays() {
        ScalePage rewritten = PAGE.withRows("| a |", List.of("| 6 | 7 |")).withRows("| c |", List.of("| 8 |", "| 9 |"));

        assertThat(rewritten.text()).isEqualTo("""
                # Page

                | a | b |
                | --: | --: |
                | 6 | 7 |

                | c |
                | --- |
                | 8 |
                | 9 |
                """);
    }

    @Test
    void aPageWithoutTheTableIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PAGE.withRows("| d |", List.of()))
                .withMessageContaining("| d |");
    }
}
