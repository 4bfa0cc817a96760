------------------------------- MODULE Sessions -------------------------------
(***************************************************************************)
(* The life of one session: its begin, its heartbeats, and a process that  *)
(* watches it. DynamoLock.tla takes from here that nobody expires a        *)
(* session before it is over for its owner.                                *)
(*                                                                         *)
(* Time is counted in ticks, and only as what is left of something, or how *)
(* far a time lies ahead of the present (negative: it is past). So no      *)
(* clock is ever read here: what a `Date` or a wall clock shows is by how  *)
(* much it is wrong. Who takes no step while ticks go by is paused.        *)
(*                                                                         *)
(* Left out: the end of a session by its wall clock, which only makes it   *)
(* shorter, and that the call that begins a session is sent once, since    *)
(* the table cannot tell one that is over from one that is new.            *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    Lease,      \* in ticks, as all that follows
    LockDelay,  \* how much longer than a lease a watcher watches
    Margin,     \* how much earlier than its lease a session is over for its owner
    Step,       \* a `Date` is a time rounded down to a multiple of this
    Bound,      \* by how much one right `Date` may differ from another, or one right wall clock from another
    Beats,      \* how many heartbeats are sent
    Faults,     \* how many of them are given up by their sender, or land twice, and may land at any time
    Mortal,     \* whether the owner may crash
    Dates,      \* what the `Date` of an answer may show; Missing for an answer without one
    Walls,      \* what a wall clock may show, whenever somebody looks at it
    Carried,    \* the upper bounds of the store's time that the owner may have from an earlier session
    Slewed,     \* how often the owner's clocks lose a tick, and how often the watcher's gain one
    Stills,     \* when both clocks of the owner may stand still: never, before it counts, or ever
    AtOnce      \* whether the watcher expires at once what is long over, or by watching. One expiry is enough to break a promise.

VARIABLES
    item,     \* the session's item: its heartbeat, NotYet or Gone without an item; at: `heartbeatAt`
    owner,    \* see NewOwner
    watcher,  \* beat, left: the heartbeat seen, and what is left of the time since; read, expire: the calls under way
    late,     \* heartbeats that may still land
    past      \* how often there was a fault: ticks that clocks lost and gained, calls that failed, `Date`s that were wrong

vars == <<item, owner, watcher, late, past>>

NotYet == -1
Gone == -2
NotSeen == -3
None == <<>>
Max(a, b) == IF a > b THEN a ELSE b
Less(n) == IF n > 0 THEN n - 1 ELSE 0

(* -- Times, as seen from the present -- *)

Missing == 99
Far == 7        \* Enough for a wrong clock to expire who just began.
LongAgo == -5   \* A right clock may be past this by all that an expiry waits for.
Ago(time, ticks) == IF time = Missing THEN Missing ELSE Max(time - ticks, LongAgo)

NoDates == {Missing}
NoWalls == {0}
Unknown == {Missing}
RightDates == {-Step, Bound, Missing}
AnyDates == {-Far, -Step, Far, Missing}
OneDateWrong == {-Step, Bound}
RightWalls == {0, Bound}
AnyWalls == {-Far, Far}
Fresh == {Missing, Bound + Step}
OldAndFresh == {Missing, Bound + Step, LongAgo}

Validity == Lease - Margin
Silence == Lease + LockDelay
IsOver(time, at) == at # Missing /\ time # Missing /\ time > at + Silence + Bound

(* stage    new, begun, counted (a begin or a heartbeat was), over
   left     of its validity
   beat     its last heartbeat
   call     the begin or heartbeat under way
   upper    an upper bound of the store's time, or Missing
   counted  the `Date` of the answer to what counted last, or Missing
   told     how many answers in a row were too late for that
   age      how long ago it landed, and
   heard    how many answers in a row with a right `Date` should have told: nobody decides by these two *)
NewOwner(upper) ==
    [stage |-> "new", left |-> 0, beat |-> 0, call |-> None, upper |-> upper, counted |-> Missing, told |-> 0, age |-> 0, heard |-> 0]
OldOwner == [NewOwner(Missing) EXCEPT !.stage = "over"]

Init ==
    /\ item = [beat |-> NotYet, at |-> Missing]
    /\ \E upper \in Carried : owner = NewOwner(upper)
    /\ watcher = [beat |-> NotSeen, left |-> 0, read |-> None, expire |-> None]
    /\ late = {}
    /\ past = [lost |-> 0, gained |-> 0, failed |-> 0, wrong |-> 0]

(* -- The table -- *)

(* Without a bound, the old `heartbeatAt` goes, too. *)
Landed(call) ==
    IF item.beat # Gone /\ item.beat < call.beat
    THEN [beat |-> call.beat, at |-> call.at]
    ELSE item

(* -- The owner -- *)

HeartbeatAt(wall) == IF owner.upper = Missing THEN Missing ELSE Max(owner.upper, wall)

Call(beat, wall) == [beat |-> beat, left |-> Validity, at |-> HeartbeatAt(wall), answered |-> FALSE]
Write(call) == [beat |-> call.beat, at |-> call.at]

Begin ==
    /\ owner.stage = "new"
    /\ \E wall \in Walls : owner' = [owner EXCEPT !.stage = "begun", !.call = Call(0, wall)]
    /\ UNCHANGED <<item, watcher, late, past>>

SendBeat ==
    /\ owner.stage \in {"begun", "counted"} /\ owner.call = None /\ owner.beat < Beats
    /\ \E wall \in Walls : owner' = [owner EXCEPT !.beat = @ + 1, !.call = Call(owner.beat + 1, wall)]
    /\ UNCHANGED <<item, watcher, late, past>>

(* The bound had fallen behind if the clocks stood still, or ran slow for long. A step on the left, since this `Date` may be rounded
   down. Two on the right, as clocks may run a little slow, and `Date`s differ a little. *)
IsConfirmed(at, date) == at = Missing \/ (date # Missing /\ date + Step <= at + 2 * Step)

(* By the `Date` of an answer, and the time since its call was sent. *)
Upper(call, date) == IF date = Missing THEN Missing ELSE date + Step + (Validity - call.left)

BeatLands ==
    /\ owner.call # None /\ ~owner.call.answered
    /\ item' = Landed(owner.call)
    /\ \E copies \in {0, 1}, date \in Dates :
        /\ past.failed + copies <= (IF owner.call.beat = 0 THEN 0 ELSE Faults)
        /\ past' = [past EXCEPT !.failed = @ + copies]
        /\ late' = IF copies = 1 THEN late \cup {Write(owner.call)} ELSE late
        /\ owner' = [owner EXCEPT !.call = [
               answered |-> TRUE,
               left |-> IF IsConfirmed(owner.call.at, date) THEN owner.call.left ELSE 0,
               ok |-> item'.beat = owner.call.beat,
               upper |-> Upper(owner.call, date),
               date |-> IF Stills = "ever" THEN date ELSE Missing,
               age |-> 0]]
    /\ UNCHANGED watcher

(* Valid from the sending. What is not confirmed does not count, and another is sent with the new bound. A session that is over does not come back, as its callers have heard; others would be safe if it did,
   so that has no tooth. *)
HearOfBeat ==
    /\ owner.call # None /\ owner.call.answered
    /\ owner' =
        IF ~owner.call.ok THEN OldOwner
        ELSE LET heard == [owner EXCEPT !.call = None, !.upper = owner.call.upper]
             IN  IF owner.call.left > 0
                 THEN [heard EXCEPT !.stage = "counted", !.left = owner.call.left, !.counted = owner.call.date, !.told = 0,
                                    !.age = owner.call.age, !.heard = 0]
                 ELSE heard
    /\ UNCHANGED <<item, watcher, late, past>>

(* A late begin would begin the session anew. *)
BeatFails ==
    /\ owner.call # None /\ ~owner.call.answered /\ owner.call.beat > 0 /\ past.failed < Faults
    /\ past' = [past EXCEPT !.failed = @ + 1]
    /\ late' = late \cup {Write(owner.call)}
    /\ owner' = [owner EXCEPT !.call = None]
    /\ UNCHANGED <<item, watcher>>

LandLate ==
    \E call \in late :
        /\ item' = Landed(call)
        /\ late' = late \ {call}
        /\ UNCHANGED <<owner, watcher, past>>

UnderWay == IF owner.call # None /\ ~owner.call.answered THEN {Write(owner.call)} ELSE {}

Crash ==
    /\ Mortal /\ owner.stage # "over"
    /\ late' = late \cup UnderWay
    /\ owner' = OldOwner
    /\ UNCHANGED <<item, watcher, past>>

(* -- The third clock: the owner hears of other calls, too -- *)

(* Not by `heartbeatAt`, which is anywhere if the wall clock is. *)
IsTooLate(date) == date # Missing /\ owner.counted # Missing /\ date > owner.counted + Step + Validity

IsRight(date) == date \in RightDates \ {Missing}
TooOld == Validity + 2 * (Bound + Step)

HearOfAnother ==
    /\ Stills = "ever" /\ owner.stage = "counted"
    /\ \E date \in Dates \cup {Far} :
        LET told == IF IsTooLate(date) THEN owner.told + 1 ELSE 0
            heard == IF IsRight(date) /\ owner.age >= TooOld THEN owner.heard + 1 ELSE 0
        IN  /\ IF date \in Dates THEN UNCHANGED past ELSE past.wrong = 0 /\ past' = [past EXCEPT !.wrong = 1]
            /\ late' = IF told >= 2 THEN late \cup UnderWay ELSE late
            /\ owner' = IF told >= 2 THEN OldOwner ELSE [owner EXCEPT !.told = told, !.heard = heard]
    /\ UNCHANGED <<item, watcher>>

(* -- The watcher -- *)

SendRead ==
    /\ ~AtOnce /\ item.beat # NotYet
    /\ watcher.read = None /\ watcher.expire = None /\ watcher.beat # Gone
    /\ watcher' = [watcher EXCEPT !.read = [beat |-> NotSeen, left |-> Silence]]
    /\ UNCHANGED <<item, owner, late, past>>

ReadLands ==
    /\ ~AtOnce /\ watcher.read # None /\ watcher.read.beat = NotSeen
    /\ watcher' = [watcher EXCEPT !.read.beat = item.beat]
    /\ UNCHANGED <<item, owner, late, past>>

(* Watching begins with the arrival of the first answer that shows a heartbeat. *)
HearOfRead ==
    LET read == watcher.read
        w == [watcher EXCEPT !.read = None]
    IN  /\ ~AtOnce /\ read # None /\ read.beat # NotSeen
        /\ watcher' = IF read.beat # w.beat THEN [w EXCEPT !.beat = read.beat, !.left = Silence]
                      ELSE IF w.left = 0 THEN [w EXCEPT !.expire = [beat |-> w.beat]]
                      ELSE w
        /\ UNCHANGED <<item, owner, late, past>>

(* The lower bound of the store's time: by the `Date` of the very answer that shows the session. *)
Lower(date) == date

(* A read that says nothing of the kind changes nothing, and is left out. *)
ReadShowsThatItIsLongOver ==
    /\ AtOnce /\ item.beat \notin {NotYet, Gone} /\ watcher.read = None /\ watcher.expire = None
    /\ \E date \in Dates : IsOver(Lower(date), item.at)
    /\ watcher' = [watcher EXCEPT !.read = item]
    /\ UNCHANGED <<item, owner, late, past>>

ExpireAtOnce ==
    /\ AtOnce /\ watcher.read # None
    /\ \E wall \in Walls :
        watcher' = [watcher EXCEPT !.read = None, !.expire = IF IsOver(wall, watcher.read.at) THEN [beat |-> watcher.read.beat] ELSE None]
    /\ UNCHANGED <<item, owner, late, past>>

ExpireLands ==
    /\ watcher.expire # None
    /\ item' = IF item.beat = watcher.expire.beat THEN [beat |-> Gone, at |-> Missing] ELSE item
    /\ watcher' = [watcher EXCEPT !.expire = None]
    /\ UNCHANGED <<owner, late, past>>

(* -- Time -- *)

MayLand(calls) == {call \in calls : item.beat # Gone /\ item.beat < call.beat}

(* How far the owner's clocks got: the monotonic one stands still while the machine is suspended, the other may be set back. *)
Passed(monotonic, wall) == Max(monotonic, wall)

(* Not between the landing of a call and its answer's arrival: nothing but the third clock helps then. *)
MayStandStill ==
    \/ Stills = "ever"
    \/ Stills = "before it counts" /\ owner.stage = "begun" /\ (owner.call = None \/ ~owner.call.answered)

(* Counted only where it is asked for. *)
Older(age) == IF Stills = "ever" /\ age < TooOld THEN age + 1 ELSE age

OwnersTick(passed) ==
    LET call == owner.call
        over == owner.stage = "counted" /\ owner.left <= passed
        sent == [call EXCEPT !.left = Max(0, @ - passed), !.at = Ago(@, 1)]
        heard == [call EXCEPT !.left = Max(0, @ - passed), !.upper = Ago(@, 1 - passed), !.date = Ago(@, 1), !.age = Older(@)]
    IN  IF owner.stage = "over" \/ over
        THEN owner' = OldOwner
        ELSE owner' = [owner EXCEPT
            !.left = Max(0, @ - passed),
            !.call = IF @ = None THEN None ELSE IF @.answered THEN heard ELSE sent,
            !.upper = Ago(@, 1 - passed),
            !.counted = Ago(@, 1),
            !.age = IF owner.stage = "counted" THEN Older(@) ELSE 0]

WatchersTick(passed) ==
    watcher' = [watcher EXCEPT
        !.left = Max(0, @ - passed),
        !.read = IF @ = None THEN None
                 ELSE IF AtOnce THEN [@ EXCEPT !.at = Ago(@, 1)]
                 ELSE [@ EXCEPT !.left = Max(0, @ - passed)]]

Tick ==
    LET regular == {Passed(1, 0), Passed(0, 1)} \cup (IF MayStandStill THEN {0} ELSE {})
        slewed == IF owner.stage # "over" /\ past.lost < Slewed THEN {0} ELSE {}
        isWatching == ~AtOnce /\ watcher.left > 0
    IN  /\ item' = [item EXCEPT !.at = Ago(@, 1)]
        /\ \E passed \in regular \cup slewed, watched \in {1} \cup (IF isWatching /\ past.gained < Slewed THEN {2} ELSE {}) :
            /\ past' = [past EXCEPT !.lost = IF passed \in regular THEN @ ELSE @ + 1, !.gained = @ + watched - 1]
            /\ OwnersTick(passed)
            /\ WatchersTick(watched)
        /\ late' = {[call EXCEPT !.at = Ago(@, 1)] : call \in MayLand(IF owner'.stage = "over" THEN late \cup UnderWay ELSE late)}

Next ==
    \/ Begin \/ SendBeat \/ BeatLands \/ HearOfBeat \/ BeatFails \/ LandLate \/ Crash \/ HearOfAnother
    \/ SendRead \/ ReadLands \/ HearOfRead \/ ReadShowsThatItIsLongOver \/ ExpireAtOnce \/ ExpireLands
    \/ Tick

Safely == Init /\ [][Next]_vars
Spec == Safely /\ WF_vars(Tick) /\ WF_vars(SendRead) /\ WF_vars(ReadLands) /\ WF_vars(HearOfRead) /\ WF_vars(ExpireLands)

-------------------------------------------------------------------------------

TheLivingAreNotExpired == item.beat = Gone => owner.left = 0
TheDeadStayDead == [][item.beat = Gone => item'.beat = Gone]_vars
TheDeadAreExpired == owner.stage = "over" /\ item.beat # NotYet ~> item.beat = Gone

(* Who hears of the store twice in a row knows, even if its own clocks stood still. *)
TheLateAreTold == owner.heard < 2
(* One wrong `Date` is no reason to give up what is valid. *)
OneDateEndsNothing == [][HearOfAnother /\ owner'.stage = "over" => owner.age >= Validity]_vars

(* What comes after it is for the configuration that looks at everything. *)
WhileItLasts == owner.stage # "over"

Noted == TRUE
================================================================================
