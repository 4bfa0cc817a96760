package io.dynamolock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Handmade histories: the checker accepts the good ones, and for each promise finds the ones that break it. */
class CheckerTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            turns that follow each other | a-1 #1 100..200; b-1 #2 210..300; a-2 #3 310..400 |

            two holders at a time | a-1 #1 100..200; b-1 #2 190..300 | one valid holder
            a long hold and every later one | a-1 #1 100..900; b-1 #2 910..920; c-1 #3 500..510 | one valid holder and numbers rise
            a killed holder's time and its successor | a-1 #1 120.. valid=400; b-1 #2 519..600 | one valid holder
            a successor after that time | a-1 #1 120.. valid=400; b-1 #2 521..600 |
            a registry that closes ends its holds | a-1 #1 120.. valid=400; @200 a closing; b-1 #2 210..600 |
            a valid holder that the table does not name | a-1 #1 100..200 in-table=b/1 | one valid holder
            a valid holder that the table does not serve yet | a-1 #5 100..200 in-table=a/4 | one valid holder

            a number that is granted twice | a-1 #1 100..200; b-1 #1 210..300 | numbers rise
            a number below an earlier holder's; both had asked before | a-1 #2 asked=10 100..200; b-1 #1 asked=10 210..300 | numbers rise
            a number below one of before the question, of a lock that was lost by then \
            | a-1 #2 100..200; b-1 #1 asked=210 300.. valid=0 | numbers rise
            who hears too late may hear in any order | b-1 #1 asked=10 300.. valid=0; a-1 #2 asked=20 100..200 |
            a holder that the fence alone refuses | a-1 #1 100..200 fenced=initial/REFUSED/None,ConditionalCheckFailed | numbers rise

            one that overtakes another of its process | a-1 #2 asked=10 300..400; a-2 #1 asked=50 100..200 | first come, first served
            one that is overtaken and renumbered | a-1 #3 queued=1 asked=10 300..400; a-2 #2 asked=50 100..200 | first come, first served
            other processes, and who asks at the same time | a-1 #3 asked=10 500..600; b-1 #2 asked=50 300..400; a-2 #1 asked=11 100..200 |

            a release that denies a loss | a-1 #1 100..200 valid=50 released=true | losses are told
            a loss that nobody tells | a-1 #1 100..200 valid=50 released=false; @900 a finished | losses are told
            a loss that is told | a-1 #1 100..200 valid=50 released=false; @250 a lost id=a-1; @900 a finished |
            a handle that is invalid before its time \
            | a-1 #1 100..200 valid=500 found-lost=150 released=false; @250 a lost id=a-1 | losses are told

            a worker without its last grant | due 1; @500 harness draining target=a; @900 a finished | everybody goes on
            a worker that does not end \
            | due 1; @500 harness draining target=a; @500 a final thread=0; @600 harness stuck target=a | everybody goes on
            a worker that fails | @500 a crashed thread=0 why=IllegalStateException | everybody goes on
            workers that all died | due 0 | everybody goes on

            an entry that is left | @950 harness left target=x kind=entry session=s1 | a clean table
            an entry that a killed process left \
            | @10 a session-started session=s1; @500 harness killed target=a; @950 harness left target=x kind=entry session=s1 | a clean table
            a session that a process has left \
            | @10 a session-started session=s1; @900 a finished; @950 harness left target=x kind=session session=s1 owner=a heartbeat=7 \
            | a clean table
            a session that a killed process has left \
            | @10 a session-started session=s1; @500 harness killed target=a; \
            @950 harness left target=x kind=session session=s1 owner=a heartbeat=7 |

            a process with a clock of its own | @500 harness starting target=a; @400 a start pid=1 | one clock
            """)
    void ofLocksThatAreHeldAlone(String what, String history, String broken) {
        check(history, broken, null);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            a chain of writes | a-1 #1 100..200 plain=initial/LANDED fenced=initial/LANDED; b-1 #2 210..300 plain=a-1/LANDED fenced=a-1/LANDED; \
            @1000 harness register target=plain#k value=b-1-p landed=2; @1000 harness register target=fenced#k value=b-1-f landed=2 | |
            an update that is lost between two holders | a-1 #1 100..200 plain=initial/LANDED; b-1 #2 210..300 plain=initial/LANDED; \
            @1000 harness register target=plain#k value=b-1-p landed=2 | no lost update |
            an update that is lost by an overrun | a-1 #1 100..400 valid=50 released=false plain=initial/LANDED; \
            b-1 #2 210..300 plain=initial/LANDED; @1000 harness register target=plain#k value=a-1-p landed=2 \
            | | updates lost without a fence: lock overrun: 1
            an update that is lost by a write without an answer | a-1 #1 100..200 plain=initial/UNKNOWN; \
            b-1 #2 210..300 plain=initial/LANDED; @1000 harness register target=plain#k value=a-1-p landed=2 \
            | | updates lost without a fence: write without an answer: 1
            an update that is lost between two, though a third overran its lock | a-1 #1 100..200 plain=initial/LANDED; \
            b-1 #2 210..300 plain=initial/LANDED; c-1 #3 310..400 plain=initial/UNKNOWN; \
            @1000 harness register target=plain#k value=c-1-p landed=3 | no lost update |
            in a fenced register no loss is explained | a-1 #1 100..400 valid=50 released=false fenced=initial/LANDED; \
            b-1 #2 210..300 fenced=initial/LANDED; @1000 harness register target=fenced#k value=b-1-f landed=2 | no lost update |
            a write that nobody heard of in a fenced register | a-1 #1 100..200 fenced=initial/UNKNOWN; \
            b-1 #2 210..300 fenced=initial/LANDED; @1000 harness register target=fenced#k value=b-1-f landed=2 | no lost update |
            a write without an answer that was read | a-1 #1 100..200 fenced=initial/UNKNOWN; b-1 #2 210..300 fenced=a-1/LANDED; \
            @1000 harness register target=fenced#k value=b-1-f landed=2 | |
            a database that forgets | a-1 #1 100..200 plain=initial/LANDED; \
            @1000 harness register target=plain#k value=initial-plain#k landed=0 | the database is sound |
            a refused write that was read | a-1 #1 100..200 fenced=initial/REFUSED/ConditionalCheckFailed,None; \
            @1000 harness register target=fenced#k value=a-1-f landed=1 | the database is sound |
            """)
    void ofRegisters(String what, String history, String broken, String figures) {
        check(history, broken, figures);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            readers together | a-1 reads #1 100..200; b-1 reads #2 110..300; b-2 reads #3 120..300; a-2 writes #4 310..400; b-3 reads #5 410..500 \
            | | holds: {WRITE=1, READ=4}; most holds together: {WRITE=1, READ=3}; most processes together: {WRITE=1, READ=2}
            a writer beside a reader | a-1 reads #1 100..900; b-1 reads #2 110..200; c-1 writes #3 890..950 | one valid holder |
            a reader beside a writer | a-1 writes #1 100..200; b-1 reads #2 190..300 | one valid holder |
            two writers at a time | a-1 writes #1 100..200; b-1 writes #2 190..300 | one valid holder |
            a reader beside a former writer | a-1 writes #1 100..400 reader-from=200; b-1 reads #2 201..300 | |
            a reader before that | a-1 writes #1 100..400 reader-from=200; b-1 reads #2 190..300 | one valid holder |
            a writer beside a former writer | a-1 writes #1 100..400 reader-from=200; b-1 writes #2 300..500 | one valid holder |
            as many holders as permits | a-1 permit #1 100..300; b-1 permit #2 110..200; c-1 permit #3 210..300 \
            | | most processes together: {PERMIT=2}
            one more than permits | a-1 permit #1 100..300; b-1 permit #2 110..200; c-1 permit #3 190..300 | one valid holder |
            a valid reader that the table does not name | a-1 reads #1 100..200 in-table=b/1 | one valid holder |

            readers in any order | a-1 reads #5 100..200; b-1 reads #4 120..200; c-1 reads #5 130..200 | |
            a writer below a reader before it; all had asked \
            | a-1 reads #5 asked=10 100..200; b-1 reads #3 asked=10 110..200; c-1 writes #4 asked=10 210..300 | numbers rise |
            a writer with a reader's number | a-1 reads #5 asked=10 100..200; b-1 writes #5 asked=10 210..300 | numbers rise |
            a reader below a writer before it \
            | a-1 writes #5 asked=10 100..200; b-1 reads #6 asked=10 210..300; c-1 reads #4 asked=10 220..300 | numbers rise |
            permits that are asked for together | a-1 permit #2 asked=10 100..200; b-1 permit #1 asked=10 110..200 | |
            a permit below one of before its question | a-1 permit #5 session-lost 100..200; b-1 permit #4 asked=150 210..300 | numbers rise |

            a reader that sees the same twice | a-1 reads #1 100..200 sees=w-1 sees=w-1; b-1 reads #2 210..300 sees=w-2 | |
            a change under a reader | a-1 reads #1 100..200 sees=w-1 sees=w-2 | nothing changes under a reader |
            a change under a reader that has lost its lock | a-1 reads #1 100..200 valid=50 sees=w-1 sees=w-2 | |
            """)
    void ofLocksThatSeveralHold(String what, String history, String broken, String figures) {
        check(history, broken, figures);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            a reader that passes a writer | a-1 writes #7 queued=5 asked=10 300..400; b-1 reads #6 asked=50 100..200 | first come, first served
            a writer that passes a reader | a-1 reads #7 queued=5 asked=10 300..400; b-1 writes #6 asked=50 100..200 | first come, first served
            one that asks before the other stands in the queue, from 13 on | a-1 writes #7 asked=10 300..400; b-1 reads #6 asked=12 100..200 |
            a writer that has lost its session | a-1 writes #7 queued=5 asked=10 session-lost 300..400; b-1 reads #6 asked=50 100..200 |
            a writer that hears of its grant too late | a-1 writes #5 asked=10 300..400 valid=0; b-1 reads #6 asked=50 100..200 |
            readers may pass readers | a-1 reads #7 asked=10 300..400; b-1 reads #6 asked=50 100..200 |
            a permit before one that stands in the queue | a-1 permit #5 asked=10 100..200; b-1 permit #5 asked=50 150..180 | first come, first served
            a permit that is heard of before the one ahead | a-1 permit #5 asked=10 100..200; b-1 permit #6 asked=50 90..180 |
            a permit that overtakes another of its process, though places were lost \
            | a-1 permit #2 asked=10 session-lost 300..400; a-2 permit #1 asked=50 100..200 | first come, first served
            readers and writers of one process, by arrival alone | a-1 writes #3 asked=10 session-lost 300..400; a-2 reads #2 asked=50 100..200 |
            """)
    void ofPlaces(String what, String history, String broken) {
        check(history, broken, null);
    }

    private static void check(String history, @Nullable String broken, @Nullable String figures) {
        Verdict verdict = HandmadeHistory.verdict(history);

        assertThat(String.join(" and ", verdict.brokenRules())).isEqualTo(broken == null ? "" : broken);
        if (figures != null) {
            assertThat(verdict.summary().toString()).contains(figures.split("; "));
        }
    }
}
