------------------------------ MODULE DynamoLock ------------------------------
(***************************************************************************)
(* The lock protocol as the engine runs it, for one lock key.              *)
(*                                                                         *)
(* How to read it, from top to bottom:                                     *)
(*                                                                         *)
(*   1. the table: one lock item, waiter rows, session items, and what     *)
(*      each call to the store does to them, on which condition;           *)
(*   2. a process: what its event loop remembers, and what it does with    *)
(*      each answer (Numbering, Front, Tenure, WaiterRows, SessionKeeper,  *)
(*      PeerWatch and HeldLongWatch of the code, in this order);           *)
(*   3. the world: callers, time, the network and its faults, crashes;     *)
(*   4. what we promise.                                                   *)
(*                                                                         *)
(* One step of a process is one event of its loop, run to its end: it      *)
(* turns the process's record into another one, with new calls in it. So   *)
(* sections 1 and 2 are plain functions; only section 3 has actions.       *)
(*                                                                         *)
(* Time is counted in ticks, and only as what is left of something: of a   *)
(* lease, of a watch. A process that takes no step while ticks go by is    *)
(* paused; nothing else is needed to say so, for no step is ever forced.   *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Processes,   \* numbers
    Home,        \* a function: the process of each caller
    Lease,       \* in ticks
    Sessions,    \* a function: how many sessions each process may go through
    Slow,        \* the operations whose requests and answers take time; the others are answered within the step that
                 \* sends them, which keeps a configuration small: what is not looked at there happens at one moment
    Faults,      \* how many calls may fail their senders
    Kinds,       \* in which ways: "lost", "unheard" (it landed, the answer is lost), "late", "twice"
    Crashes,     \* how many processes may crash
    Leavers,     \* callers that may give up waiting
    Apart,       \* pairs of callers of whom the second comes only when the first has come and gone
    Overstayers, \* callers that may be forced out at the end of their longest hold
    Extending,   \* whether a block that holds the lock takes and serves further numbers in one write where it may
    Torn,        \* whether a look reads the lock item and the rows at different moments
    Timely,      \* processes that are quicker than a tick, as are their answers; any other may be paused
    MaxTail      \* a bound on numbers, for configurations that check no liveness

VARIABLES
    db,          \* the table
    me,          \* the processes
    late,        \* requests whose senders gave them up, or that landed and will land again
    todo,        \* callers that have not come yet
    faults,      \* how many more calls may fail
    crashes,     \* how many more processes may crash
    last         \* the number of the latest grant

vars == <<db, me, late, todo, faults, crashes, last>>

Callers == DOMAIN Home
Nobody == "nobody"
None == <<>>

Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Max(S) == CHOOSE x \in S : \A y \in S : x >= y
Less(n) == IF n > 0 THEN n - 1 ELSE n
At(seq, i) == seq[i]

(* A session is named by its process and which of its sessions it is; a block by its session and a number. *)
SessionIds == UNION {{p} \X (1 .. Sessions[p]) : p \in Processes}
SessionOf(id) == <<id[1], id[2]>>

NotYet == -2
Gone == -1

-------------------------------------------------------------------------------
(*                        1. The table, and the calls                        *)

EmptyTable ==
    [tail |-> 0, serving |-> 0, holder |-> None, rows |-> {},
     sess |-> [s \in SessionIds |-> IF s[2] = 1 THEN 0 ELSE NotYet],  \* the beat, if the item exists
     disputes |-> {},                                                 \* block ids
     passed |-> FALSE, strays |-> {}]                                 \* history, read by the promises only

Alive(d, s) == d.sess[s] >= 0

(* A call is its request and, later, its answer. *)
Call(op, id) ==
    [op |-> op, id |-> id, first |-> 0, last |-> 0, n |-> 0, other |-> None, beat |-> Gone, ids |-> {},
     after |-> {}, at |-> "sent", ok |-> TRUE, tail |-> 0, serving |-> 0, holder |-> None, rows |-> {}]

DeleteRow(first, id) == [Call("deleteRow", id) EXCEPT !.first = first]
Undo(id) == Call("undo", id)

(* Whether a row stands for somebody of another process who waits, visibly. *)
Attended(d, row, c) ==
    LET owner == me[row.id[1]]
    IN  /\ row.id[1] # c.id[1]
        /\ owner.live = "yes" /\ owner.s = row.id[2] /\ Alive(d, SessionOf(row.id))
        /\ row.last > d.serving
        /\ \E i \in 1 .. Len(owner.blocks) : owner.blocks[i].id = row.id /\ owner.blocks[i].cs # <<>>

(* Beats are only ever compared for being the same, so a number nobody remembers may be used again. *)
NewBeat(s) ==
    LET seen(p) == {me[p].watch[s[1]].beat} \cup {c.beat : c \in {x \in me[p].calls : x.id = s}}
        used == UNION {seen(p) : p \in Processes} \cup {c.beat : c \in {x \in late : x.id = s}} \cup {db.sess[s]}
    IN  Min(0 .. Cardinality(used) \ used)

Answered(d, c, ok) == [c EXCEPT !.at = "answered", !.ok = ok]
WithLock(d, c, ok) ==
    [c EXCEPT !.at = "answered", !.ok = ok, !.tail = d.tail, !.serving = d.serving, !.holder = d.holder]

(* A conditional write on the lock item. Refused, it still counts as done if the block holds the lock already. *)
Write(d, c, condition, changed) ==
    IF condition THEN [db |-> changed, call |-> WithLock(changed, c, TRUE)]
                 ELSE [db |-> d, call |-> WithLock(d, c, d.holder = c.id)]

WithoutSession(d, s) ==
    [d EXCEPT !.sess[s] = IF @ = NotYet THEN NotYet ELSE Gone,
              !.disputes = {id \in @ : SessionOf(id) # s}]

(* Whether somebody is passed by a block that becomes the holder: for a claim, one whose row was there at its look. *)
Passes(d, c, upTo) ==
    \E row \in d.rows : row.last < upTo /\ Attended(d, row, c) /\ (c.op = "claim" => row.id \in c.ids)

TryAcquire(d, c) ==
    Write(d, c, d.holder = None /\ d.tail = d.serving,
          [d EXCEPT !.tail = @ + c.n, !.serving = d.tail + c.n, !.holder = c.id,
                    !.passed = @ \/ Passes(d, c, d.tail + 1)])

TakeNumbers(d, c) ==
    LET e == [d EXCEPT !.tail = @ + c.n]
    IN  [db |-> e, call |-> [WithLock(e, c, TRUE) EXCEPT !.ids = {r.id : r \in {x \in d.rows : Attended(d, x, c)}}]]

Enter(d, c) ==
    [db |-> [d EXCEPT !.rows = @ \cup {[id |-> c.id, first |-> c.first, last |-> c.last]}],
     call |-> Answered(d, c, TRUE)]

ReadLock(d, c) == [c EXCEPT !.tail = d.tail, !.serving = d.serving, !.holder = d.holder]
ReadRows(d, c) ==
    [c EXCEPT !.rows = d.rows,
              !.ids = {r.id : r \in {x \in d.rows : x.first < c.first /\ Attended(d, x, c)}}]
Look(d, c) == [db |-> d, call |-> [ReadRows(d, ReadLock(d, c)) EXCEPT !.at = "answered"]]

Claim(d, c) ==
    Write(d, c, /\ d.serving < c.last
                /\ d.holder = None \/ d.holder = c.other,
          [d EXCEPT !.serving = c.last, !.holder = c.id, !.passed = @ \/ Passes(d, c, c.last)])

HandOver(d, c) ==
    Write(d, c, /\ d.holder = c.other
                /\ d.serving < c.last,
          [d EXCEPT !.serving = c.last, !.holder = c.id, !.passed = @ \/ Passes(d, c, c.last)])

(* Numbers for the block that holds the lock, served at once, as long as nobody else has one. Refused, it changed nothing, or
   numbers that nobody will ever use. *)
Extend(d, c) ==
    LET e == [d EXCEPT !.tail = @ + c.n, !.serving = @ + c.n, !.passed = @ \/ Passes(d, c, d.tail + 1)]
    IN  IF d.holder = c.id /\ d.tail = d.serving THEN [db |-> e, call |-> WithLock(e, c, TRUE)]
                                                ELSE [db |-> d, call |-> WithLock(d, c, FALSE)]

Rename(d, c) == Write(d, c, d.holder = c.other, [d EXCEPT !.holder = c.id])

Release(d, c) ==
    [db |-> IF d.holder = c.id THEN [d EXCEPT !.holder = None] ELSE d, call |-> Answered(d, c, TRUE)]

Delete(d, c) ==
    [db |-> [d EXCEPT !.rows = {r \in @ : r.id # c.id}], call |-> Answered(d, c, TRUE)]

CreateSession(d, c) ==
    [db |-> IF d.sess[c.id] = NotYet THEN [d EXCEPT !.sess[c.id] = 0] ELSE d, call |-> Answered(d, c, TRUE)]

Beat(d, c) ==
    IF Alive(d, c.id)
    THEN LET e == [d EXCEPT !.sess[c.id] = NewBeat(c.id), !.disputes = @ \ c.ids]
         IN  [db |-> e, call |-> [Answered(d, c, TRUE) EXCEPT !.rows = {id \in e.disputes : SessionOf(id) = c.id}]]
    ELSE [db |-> d, call |-> Answered(d, c, FALSE)]

ReadSession(d, c) == [db |-> d, call |-> [Answered(d, c, Alive(d, c.id)) EXCEPT !.beat = d.sess[c.id]]]

Bury(d, c) ==
    IF d.sess[c.id] = c.beat \/ ~Alive(d, c.id)
    THEN [db |-> WithoutSession(d, c.id), call |-> Answered(d, c, TRUE)]
    ELSE [db |-> d, call |-> Answered(d, c, FALSE)]

EndSession(d, c) == [db |-> WithoutSession(d, c.id), call |-> Answered(d, c, TRUE)]

Dispute(d, c) ==
    LET there == Alive(d, SessionOf(c.id))
    IN  [db |-> IF there THEN [d EXCEPT !.disputes = @ \cup {c.id}] ELSE d, call |-> Answered(d, c, there)]

(* What a request does when it lands. *)
Land(d, c) ==
    CASE c.op = "try"           -> TryAcquire(d, c)
      [] c.op = "take"          -> TakeNumbers(d, c)
      [] c.op = "enter"         -> Enter(d, c)
      [] c.op = "look"          -> Look(d, c)
      [] c.op = "claim"         -> Claim(d, c)
      [] c.op = "handOver"      -> HandOver(d, c)
      [] c.op = "extend"        -> Extend(d, c)
      [] c.op = "rename"        -> Rename(d, c)
      [] c.op = "release"       -> Release(d, c)
      [] c.op = "undo"          -> Release(d, c)
      [] c.op = "deleteRow"     -> Delete(d, c)
      [] c.op = "createSession" -> CreateSession(d, c)
      [] c.op = "beat"          -> Beat(d, c)
      [] c.op = "readSession"   -> ReadSession(d, c)
      [] c.op = "bury"          -> Bury(d, c)
      [] c.op = "endSession"    -> EndSession(d, c)
      [] c.op = "dispute"       -> Dispute(d, c)

Reads == {"look", "readSession"}

-------------------------------------------------------------------------------
(*                               2. A process                                *)

(* A block: its numbers, the callers in it that wait (with their numbers), its stage, whether it may have a row, and
   whether a write that would make it the holder was sent and not answered. `reach` is its first number, or that of
   a block of this process before it that was dropped: nobody else's number lies from there to `last`. *)

NotNumbering == [op |-> "none", id |-> None, cs |-> <<>>, n |-> 0, uncertain |-> FALSE]
NoWatch == [s |-> 0, beat |-> Gone, left |-> 0]
NotHeld == [id |-> None, left |-> 0]
NotOpen == [id |-> None, n |-> 0]
NoBeat == -1

Down ==
    [live |-> "down", s |-> 0, left |-> 0, sent |-> NoBeat, settled |-> {},
     gather |-> <<>>, numbering |-> NotNumbering, blocks |-> <<>>, made |-> 0,
     cur |-> Nobody, no |-> 0, overstayed |-> FALSE, releasing |-> None,
     calls |-> {}, dead |-> {}, watch |-> [q \in Processes |-> NoWatch], held |-> NotHeld, open |-> NotOpen]

Started == [Down EXCEPT !.live = "yes", !.s = 1, !.left = Lease]

Session(p, m) == <<p, m.s>>
IsOwn(p, m, id) == m.live = "yes" /\ SessionOf(id) = Session(p, m)
IsDead(m, id) == SessionOf(id) \in m.dead
NextId(p, m) == <<p, m.s, m.made + 1>>

Send(m, calls) == [m EXCEPT !.calls = @ \cup calls]
UnderWay(m, ops) == \E c \in m.calls : c.op \in ops

Index(m, id) ==
    IF \E i \in 1 .. Len(m.blocks) : m.blocks[i].id = id
    THEN CHOOSE i \in 1 .. Len(m.blocks) : m.blocks[i].id = id ELSE 0

(* A rename under way, be it that of a hand-over: both ids are the block's until it is answered. *)
Knows(m, id) ==
    \/ m.numbering.id = id \/ m.releasing = id \/ Index(m, id) # 0
    \/ \E c \in m.calls : c.op \in {"rename", "handOver"} /\ c.id = id /\ Index(m, c.other) # 0

WhoOf(cs) == [i \in 1 .. Len(cs) |-> cs[i].who]
RECURSIVE CallersOf(_)
CallersOf(blocks) == IF blocks = <<>> THEN <<>> ELSE WhoOf(Head(blocks).cs) \o CallersOf(Tail(blocks))
Numbered(cs, before) == [i \in 1 .. Len(cs) |-> [cs[i] EXCEPT !.no = @ + before]]
Unnumbered(callers) == [i \in 1 .. Len(callers) |-> [who |-> callers[i], no |-> i]]

(* Takes back what the block has, or may have, in the table. *)
Withdraw(b) ==
    (IF b.row THEN {DeleteRow(b.first, b.id)} ELSE {}) \cup (IF b.uncertain THEN {Undo(b.id)} ELSE {})

(* The blocks without the i-th; one taken out of the middle is closed up to. *)
Without(blocks, i) ==
    [j \in 1 .. Len(blocks) - 1 |->
        IF j < i THEN blocks[j]
        ELSE IF j = i /\ i > 1 /\ blocks[i + 1].reach = blocks[i].last + 1
             THEN [blocks[i + 1] EXCEPT !.reach = blocks[i].reach]
             ELSE blocks[j + 1]]

(* -- WaiterRows -- *)

EnterRow(m, i, after) ==
    LET b == m.blocks[i]
    IN  Send([m EXCEPT !.blocks[i].st = "ENTERING", !.blocks[i].row = TRUE],
             {[Call("enter", b.id) EXCEPT !.first = b.first, !.last = b.last, !.after = after]})

(* Gives up a block's place; one behind it that relied on it enters before its row goes. *)
LeaveBlock(m, i) ==
    LET b == m.blocks[i]
        behind == {j \in i + 1 .. Len(m.blocks) : m.blocks[j].cs # <<>>}
        n == [m EXCEPT !.blocks = Without(@, i)]
    IN  IF behind # {} /\ m.blocks[Min(behind)].st = "NUMBERED"
        THEN EnterRow(n, Min(behind) - 1, Withdraw(b))
        ELSE Send(n, Withdraw(b))

EnterAnswered(m, c) ==
    LET i == Index(m, c.id)
        n == Send(m, c.after)
    IN  IF i = 0 \/ m.blocks[i].st # "ENTERING"
        THEN Send(n, {DeleteRow(c.first, c.id)})   \* overtaken: the row may have landed after its deletion
        ELSE LET queued == [n EXCEPT !.blocks[i].st = "QUEUED"]
             IN  IF m.blocks[i].cs = <<>> THEN LeaveBlock(queued, i) ELSE queued

EnterFailed(m, c) ==
    LET i == Index(m, c.id)
    IN  IF i # 0 /\ m.blocks[i].st = "ENTERING" /\ m.blocks[i].cs # <<>>
        THEN Send(m, {c})
        ELSE EnterAnswered(m, c)

(* -- The session's end -- *)

(* What was held is lost; those who wait go on under a new session with new numbers. *)
Lose(p, m, gone) ==
    LET rows == {m.blocks[i] : i \in {j \in 1 .. Len(m.blocks) : m.blocks[j].row}}
    IN  [m EXCEPT !.live = "no", !.left = 0, !.sent = NoBeat, !.settled = {},
                  !.cur = Nobody, !.overstayed = FALSE, !.releasing = None, !.open = NotOpen,
                  !.gather = CallersOf(m.blocks) \o WhoOf(m.numbering.cs) \o @,
                  !.numbering = NotNumbering, !.blocks = <<>>,
                  !.calls = @ \cup {DeleteRow(b.first, b.id) : b \in rows}
                              \cup (IF gone THEN {} ELSE {Call("endSession", Session(p, m))}),
                  !.dead = IF gone THEN @ \cup {Session(p, m)} ELSE @]

(* -- PeerWatch and HeldLongWatch -- *)

Watch(m, sessions) ==
    [m EXCEPT !.watch = [q \in Processes |->
        LET wanted == {s[2] : s \in {x \in sessions : x[1] = q}}
        IN  IF wanted = {} \/ m.watch[q].s \in wanted THEN m.watch[q]
            ELSE [NoWatch EXCEPT !.s = Min(wanted)]]]

Dies(m, s) ==
    [m EXCEPT !.dead = @ \cup {s}, !.watch[s[1]] = IF @.s = s[2] THEN NoWatch ELSE @]

SessionAnswered(m, c) ==
    LET q == c.id[1]
        w == m.watch[q]
    IN  IF w.s # c.id[2] THEN m
        ELSE IF ~c.ok THEN Dies(m, c.id)
        ELSE IF w.beat # c.beat THEN [m EXCEPT !.watch[q].beat = c.beat, !.watch[q].left = Lease]
        ELSE IF w.left = 0 THEN Send(m, {[Call("bury", c.id) EXCEPT !.beat = c.beat]})
        ELSE m

BuryAnswered(m, c) ==
    IF c.ok THEN Dies(m, c.id)
    ELSE IF m.watch[c.id[1]].s = c.id[2] THEN [m EXCEPT !.watch[c.id[1]].beat = Gone] ELSE m

(* The lock was seen held: by whom, and since when. *)
SeeHolder(p, m, id) ==
    IF id = None \/ IsOwn(p, m, id) \/ IsDead(m, id) THEN m
    ELSE LET n == Watch(m, {SessionOf(id)})
         IN  IF m.held.id # id THEN [n EXCEPT !.held = [id |-> id, left |-> Lease]]
             ELSE IF m.held.left > 0 THEN n
             ELSE Send([n EXCEPT !.held.left = Lease], {Call("dispute", id)})

(* -- Numbering -- *)

(* In the code: where nobody else is known to have a number, which may be wrong both ways. Here: always or never. *)
MayExtend(m) == Extending /\ Len(m.blocks) = 1 /\ Head(m.blocks).st = "HOLDING"

(* Callers that wait get numbers: by a try if nobody of this process is ahead, by an extension if one block is and holds the
   lock, else by a take. *)
Pump(p, m) ==
    IF m.numbering.op # "none" \/ m.gather = <<>> \/ m.releasing # None \/ m.live # "yes" \/ m.left = 0 THEN m
    ELSE LET op == IF m.blocks = <<>> THEN "try" ELSE IF MayExtend(m) THEN "extend" ELSE "take"
             cs == Unnumbered(m.gather)
             call == IF op = "extend"
                     THEN [Call(op, Head(m.blocks).id) EXCEPT !.other = NextId(p, m)]
                     ELSE Call(op, NextId(p, m))
         IN  Send([m EXCEPT !.numbering = [op |-> op, id |-> NextId(p, m), cs |-> cs, n |-> Len(cs),
                                           uncertain |-> FALSE],
                            !.gather = <<>>, !.made = @ + 1],
                  {[call EXCEPT !.n = Len(cs)]})

(* The lock was not free: the block's callers take numbers, together with those who came meanwhile. *)
TakeFor(p, m) ==
    LET cs == Unnumbered(WhoOf(m.numbering.cs) \o m.gather)
    IN  IF m.left = 0 THEN Lose(p, m, FALSE)
        ELSE IF cs = <<>> THEN [m EXCEPT !.numbering = NotNumbering]
        ELSE Send([m EXCEPT !.numbering = [op |-> "take", id |-> NextId(p, m), cs |-> cs, n |-> Len(cs),
                                           uncertain |-> FALSE],
                            !.gather = <<>>, !.made = @ + 1],
                  {[Call("take", NextId(p, m)) EXCEPT !.n = Len(cs)]})

NewBlock(m, upTo, stage) ==
    LET first == upTo - m.numbering.n + 1
    IN  [id |-> m.numbering.id, first |-> first, last |-> upTo, reach |-> first,
         cs |-> Numbered(m.numbering.cs, first - 1), st |-> stage, row |-> FALSE,
         uncertain |-> m.numbering.uncertain]

TryAnswered(p, m, c) ==
    IF m.numbering.id # c.id THEN m
    ELSE IF c.ok THEN [m EXCEPT !.blocks = Append(@, NewBlock(m, c.serving, "HOLDING")),
                                !.numbering = NotNumbering]
    ELSE TakeFor(p, m)

SendClaim(m, i, dead, ahead) ==
    LET b == m.blocks[i]
    IN  Send([m EXCEPT !.blocks[i].st = "CLAIMING"],
             {[Call("claim", b.id) EXCEPT !.last = b.last, !.other = dead, !.ids = ahead]})

(* A block of this process will hand over to one that follows it directly, without that having a row. *)
WillServe(b) == b.cs # <<>> \/ b.st \in {"CLAIMING", "HOLDING", "CHANGING"}

TakeAnswered(p, m, c) ==
    IF m.numbering.id # c.id THEN m
    ELSE IF m.numbering.cs = <<>> THEN [m EXCEPT !.numbering = NotNumbering]
    ELSE LET b == NewBlock(m, c.tail, "NUMBERED")
             i == Len(m.blocks) + 1
             n == [m EXCEPT !.blocks = Append(@, b), !.numbering = NotNumbering]
             served == i > 1 /\ m.blocks[i - 1].last + 1 = b.reach /\ WillServe(m.blocks[i - 1])
             vacant == c.holder = None \/ IsDead(m, c.holder)
             nobodyBetween == c.serving > 0 /\ c.serving + m.numbering.n = c.tail
         IN  IF served THEN n
             ELSE IF i = 1 /\ vacant /\ nobodyBetween THEN SendClaim(n, 1, c.holder, c.ids)
             ELSE EnterRow(SeeHolder(p, n, c.holder), i, {})

(* The block that was to be extended is the only one there was, so if there is one it still holds the lock, by this id or by
   the one of a rename since. Otherwise it has let it go, and the numbers are nobody's. *)
ExtendAnswered(p, m, c) ==
    IF m.numbering.id # c.other THEN m
    ELSE IF m.blocks = <<>> THEN [m EXCEPT !.gather = WhoOf(m.numbering.cs) \o @, !.numbering = NotNumbering]
    ELSE IF c.ok
    THEN LET b == NewBlock(m, c.serving, "NUMBERED")
         IN  [m EXCEPT !.blocks[1].cs = @ \o b.cs, !.blocks[1].last = b.last, !.numbering = NotNumbering]
    ELSE TakeFor(p, m)

NumberingFailed(p, m, c) ==
    IF m.numbering.id # (IF c.op = "extend" THEN c.other ELSE c.id) THEN m
    ELSE LET unsure == m.numbering.uncertain \/ c.op = "try"
             extending == c.op = "extend" /\ MayExtend(m)
             again == IF extending THEN [c EXCEPT !.id = Head(m.blocks).id]
                      ELSE IF c.op = "extend" THEN [Call("take", c.other) EXCEPT !.n = c.n]
                      ELSE c
         IN  IF m.numbering.cs = <<>>
             THEN Send([m EXCEPT !.numbering = NotNumbering], IF unsure THEN {Undo(c.id)} ELSE {})
             ELSE IF m.left = 0 THEN Lose(p, m, FALSE)
             ELSE Send([m EXCEPT !.numbering.uncertain = unsure, !.numbering.op = again.op], {again})

(* -- Front -- *)

(* The first block was passed or evicted: its callers, and those of blocks that relied on it, take new numbers. *)
Renumber(m) ==
    LET relied(i) == \A j \in 2 .. i : m.blocks[j].st = "NUMBERED" /\ m.blocks[j].reach = m.blocks[j - 1].last + 1
        k == CHOOSE i \in 1 .. Len(m.blocks) : relied(i) /\ (i = Len(m.blocks) \/ ~relied(i + 1))
    IN  [m EXCEPT !.gather = CallersOf(SubSeq(m.blocks, 1, k)) \o @,
                  !.blocks = SubSeq(@, k + 1, Len(@)),
                  !.calls = @ \cup UNION {Withdraw(m.blocks[i]) : i \in 1 .. k}]

Claimed(m, i) ==
    LET b == m.blocks[i]
    IN  Send([m EXCEPT !.blocks[i].st = "HOLDING", !.blocks[i].row = FALSE],
             IF b.row THEN {DeleteRow(b.first, b.id)} ELSE {})

Waiting(b) == [b EXCEPT !.st = IF b.row THEN "QUEUED" ELSE "NUMBERED"]

BackToWaiting(m, i) ==
    LET n == [m EXCEPT !.blocks[i] = Waiting(@)]
    IN  IF m.blocks[i].cs = <<>> THEN LeaveBlock(n, i) ELSE n

ClaimAnswered(m, c) ==
    LET i == Index(m, c.id)
    IN  IF i = 0 \/ m.blocks[i].st # "CLAIMING" THEN m
        ELSE IF c.ok THEN Claimed(m, i)
        ELSE IF c.serving >= m.blocks[i].last THEN Renumber(m)
        ELSE BackToWaiting(m, i)

ClaimFailed(m, c) ==
    LET i == Index(m, c.id)
    IN  IF i = 0 \/ m.blocks[i].st # "CLAIMING" THEN m
        ELSE BackToWaiting([m EXCEPT !.blocks[i].uncertain = TRUE], i)

(* A live process that does not take an open lock for a whole lease loses its place. *)
EvictIfOpenForLong(m, row, rowsAhead) ==
    IF m.open.id # row.id THEN [m EXCEPT !.open = [id |-> row.id, n |-> 0]]
    ELSE IF m.open.n < Lease * rowsAhead THEN m
    ELSE Send([m EXCEPT !.open = NotOpen], {DeleteRow(row.first, row.id)})

Looked(p, m, c) ==
    LET b == Head(m.blocks)
        stray(id) == IsOwn(p, m, id) /\ ~Knows(m, id)
        before == {r \in c.rows : r.first < b.first}
        garbage == {r \in before : r.last <= c.serving \/ IsDead(m, r.id) \/ stray(r.id)}
        ahead == before \ garbage
        first == CHOOSE r \in ahead : \A x \in ahead : r.first <= x.first
        vacant == c.holder = None \/ IsDead(m, c.holder)
        n == Send(Watch(m, {SessionOf(r.id) : r \in {x \in ahead : ~IsOwn(p, m, x.id)}}),
                  {DeleteRow(r.first, r.id) : r \in garbage})
    IN  IF c.holder = b.id THEN Claimed(m, 1)
        ELSE IF c.serving >= b.last \/ ~\E r \in c.rows : r.id = b.id THEN Renumber(m)
        ELSE IF c.holder # None /\ stray(c.holder) THEN Send(n, {Undo(c.holder)})
        ELSE IF vacant /\ ahead = {} THEN SendClaim(n, 1, c.holder, c.ids)
        ELSE IF vacant THEN EvictIfOpenForLong(n, first, Cardinality(ahead))
        ELSE [SeeHolder(p, n, c.holder) EXCEPT !.open = NotOpen]

LookAnswered(p, m, c) ==
    IF m.blocks = <<>> THEN m
    ELSE IF Head(m.blocks).id # c.id \/ Head(m.blocks).st # "QUEUED" THEN m
    ELSE Looked(p, m, c)

(* -- Tenure -- *)

(* Of the blocks, only the first one claims: those behind it that do so wait for a hand-over, which joins them to it. *)
Joining(m) == {i \in 2 .. Len(m.blocks) : m.blocks[i].st = "CLAIMING"}
IsHandingOver(m) == Joining(m) # {}

(* Whether the call is that hand-over, and not one that was forgotten. *)
IsHandOver(m, c) == c.op = "handOver" /\ IsHandingOver(m) /\ c.last = m.blocks[Max(Joining(m))].last

(* The last block with callers up to which only numbers of this process lie; 0 if there is none. *)
Following(m) ==
    LET reachable(i) == /\ m.blocks[i].reach = m.blocks[i - 1].last + 1
                        /\ m.blocks[i].st \in {"NUMBERED", "QUEUED", "ENTERING"}
        found == {i \in 2 .. Len(m.blocks) : m.blocks[i].cs # <<>> /\ \A j \in 2 .. i : reachable(j)}
    IN  IF found = {} THEN 0 ELSE Max(found)

RECURSIVE AllOf(_)
AllOf(blocks) == IF blocks = <<>> THEN <<>> ELSE Head(blocks).cs \o AllOf(Tail(blocks))

(* The numbers and callers of the blocks up to the k-th become those of the first. *)
Join(m, k) ==
    [m EXCEPT !.blocks = <<[Head(@) EXCEPT !.cs = AllOf(SubSeq(m.blocks, 1, k)), !.last = m.blocks[k].last]>>
                         \o SubSeq(@, k + 1, Len(@)),
              !.calls = @ \cup UNION {Withdraw(m.blocks[i]) : i \in 2 .. k}]

(* The block that holds the lock keeps its id, unless somebody was forced out: then it is renamed with it. *)
SendHandOver(p, m) ==
    LET from == Head(m.blocks)
        k == Following(m)
        claiming == [i \in 1 .. Len(m.blocks) |-> [m.blocks[i] EXCEPT !.st = IF i \in 2 .. k THEN "CLAIMING" ELSE @]]
        n == [m EXCEPT !.blocks = claiming, !.made = IF m.overstayed THEN @ + 1 ELSE @]
        id == IF m.overstayed THEN NextId(p, m) ELSE from.id
    IN  Send(n, {[Call("handOver", id) EXCEPT !.other = from.id, !.last = m.blocks[k].last]})

(* In the code: when half of those are served who were granted the lock by the last write. Here: whenever it may be. *)
MayHandOverEarly(m) ==
    /\ m.cur # Nobody /\ Head(m.blocks).st = "HOLDING"
    /\ ~IsHandingOver(m)
    /\ Following(m) # 0

SendRelease(m) ==
    LET b == Head(m.blocks)
    IN  Send([m EXCEPT !.blocks = Tail(@), !.releasing = b.id, !.overstayed = FALSE], {Call("release", b.id)})

(* Nobody in the block waits any more. *)
End(p, m) ==
    IF IsHandingOver(m) THEN m
    ELSE IF Following(m) # 0 THEN SendHandOver(p, m)
    ELSE IF m.numbering.op \in {"take", "extend"} THEN m    \* the numbers may follow directly
    ELSE SendRelease(m)

(* Everybody has left whom the hand-over is for: the block ends, and whether that lands before its release or after it,
   both name the same holder. In the code: when the last caller of the block is done. Here: then or later. *)
MayForgetHandOver(m) ==
    /\ IsHandingOver(m) /\ m.cur = Nobody
    /\ \A i \in {1} \cup Joining(m) : m.blocks[i].cs = <<>>
    /\ \A c \in m.calls : IsHandOver(m, c) => c.id = c.other

RECURSIVE ForgetHandOver(_)
ForgetHandOver(m) ==
    IF ~IsHandingOver(m) THEN m
    ELSE ForgetHandOver(Send([m EXCEPT !.blocks = Without(@, 2)], Withdraw(m.blocks[2])))

(* A caller that was forced out may still be running: the rest of the block gets a new id before it goes on. *)
SendRename(p, m) ==
    IF IsHandingOver(m) THEN m    \* that names the old id
    ELSE Send([m EXCEPT !.blocks[1].st = "CHANGING", !.made = @ + 1],
              {[Call("rename", NextId(p, m)) EXCEPT !.other = Head(m.blocks).id]})

(* The table names another holder: whoever holds the lock here has lost it. *)
TakenAway(m) == Renumber([m EXCEPT !.cur = Nobody, !.overstayed = FALSE])

(* Passes the lock to the next caller of the block that holds it, or ends the block's turn. *)
PassOn(p, m) ==
    IF m.blocks = <<>> \/ m.cur # Nobody THEN m
    ELSE LET b == Head(m.blocks)
         IN  IF b.st # "HOLDING" THEN m
             ELSE IF b.cs = <<>> THEN End(p, m)
             ELSE IF m.overstayed THEN SendRename(p, m)
             ELSE IF m.left > 0
             THEN [m EXCEPT !.cur = Head(b.cs).who, !.no = Head(b.cs).no, !.blocks[1].cs = Tail(@)]
             ELSE Lose(p, m, FALSE)

HandOverAnswered(m, c) ==
    IF ~IsHandOver(m, c) THEN m
    ELSE LET n == IF c.id = c.other THEN m ELSE [m EXCEPT !.blocks[1].id = c.id, !.overstayed = FALSE]
         IN  IF c.ok THEN Join(n, Max(Joining(m)))
             ELSE TakenAway([n EXCEPT !.blocks =
                      [i \in 1 .. Len(@) |-> IF i \in Joining(m) THEN Waiting(@[i]) ELSE @[i]]])

ForceOut(m) == [m EXCEPT !.cur = Nobody, !.overstayed = TRUE]

RenameAnswered(m, c) ==
    LET i == Index(m, c.other)
        n == [m EXCEPT !.blocks[i].id = c.id, !.blocks[i].st = "HOLDING", !.overstayed = FALSE]
    IN  IF i = 0 THEN m ELSE IF c.ok THEN n ELSE TakenAway(n)

(* -- SessionKeeper -- *)

CreateAnswered(p, m, c) ==
    IF m.live # "creating" \/ c.id # Session(p, m) THEN m
    ELSE IF m.sent > 0 THEN [m EXCEPT !.live = "yes", !.left = m.sent, !.sent = NoBeat]
    ELSE Send([m EXCEPT !.live = "no", !.sent = NoBeat], {Call("endSession", c.id)})

BeatAnswered(p, m, c) ==
    IF m.live # "yes" \/ c.id # Session(p, m) THEN m
    ELSE IF ~c.ok THEN Lose(p, m, TRUE)
    ELSE IF m.left = 0 THEN Lose(p, m, FALSE)
    ELSE Send([m EXCEPT !.left = m.sent, !.sent = NoBeat, !.settled = (@ \ c.ids) \cup c.rows],
              {Undo(id) : id \in {x \in c.rows : ~Knows(m, x)}})

(* -- The event loop -- *)

Handle(p, m, c) ==
    CASE c.op = "try"           -> TryAnswered(p, m, c)
      [] c.op = "take"          -> TakeAnswered(p, m, c)
      [] c.op = "enter"         -> EnterAnswered(m, c)
      [] c.op = "look"          -> LookAnswered(p, m, c)
      [] c.op = "claim"         -> ClaimAnswered(m, c)
      [] c.op = "handOver"      -> HandOverAnswered(m, c)
      [] c.op = "extend"        -> ExtendAnswered(p, m, c)
      [] c.op = "rename"        -> RenameAnswered(m, c)
      [] c.op = "release"       -> IF m.releasing = c.id THEN [m EXCEPT !.releasing = None] ELSE m
      [] c.op \in {"undo", "deleteRow"} -> m
      [] c.op = "createSession" -> CreateAnswered(p, m, c)
      [] c.op = "beat"          -> BeatAnswered(p, m, c)
      [] c.op = "readSession"   -> SessionAnswered(m, c)
      [] c.op = "bury"          -> BuryAnswered(m, c)
      [] c.op = "endSession"    -> Dies(m, c.id)
      [] c.op = "dispute"       -> IF c.ok THEN m ELSE Dies(m, SessionOf(c.id))

(* The call's sender has waited long enough. *)
HandleFailure(p, m, c) ==
    LET again == [c EXCEPT !.at = "sent"]
    IN  CASE c.op \in {"try", "take", "extend"} -> NumberingFailed(p, m, again)
          [] c.op = "enter"           -> EnterFailed(m, again)
          [] c.op = "claim"           -> ClaimFailed(m, c)
          [] c.op = "handOver"        -> IF IsHandOver(m, c) THEN Send(m, {again}) ELSE m
          [] c.op = "rename"          -> IF Index(m, c.other) = 0 THEN m ELSE Send(m, {again})
          [] c.op = "release"         -> IF m.releasing = c.id THEN Send(m, {again}) ELSE m
          [] c.op \in {"undo", "deleteRow", "endSession"} -> Send(m, {again})
          [] c.op = "createSession"   ->
                Send(IF c.id = Session(p, m) /\ m.live = "creating"
                     THEN [m EXCEPT !.live = "no", !.sent = NoBeat] ELSE m,
                     {Call("endSession", c.id)})
          [] c.op = "beat"            ->
                IF c.id = Session(p, m) /\ m.live = "yes" THEN [m EXCEPT !.sent = NoBeat] ELSE m
          [] c.op \in {"look", "readSession", "bury", "dispute"} -> m

(* Nobody holds up the first block: it needs a row, unless it is being served or nobody waits in it any more. *)
RECURSIVE HurryNext(_)
HurryNext(m) ==
    IF m.blocks = <<>> \/ m.releasing # None THEN m
    ELSE LET b == Head(m.blocks)
         IN  IF b.cs = <<>> /\ b.st \in {"NUMBERED", "QUEUED"} THEN HurryNext(LeaveBlock(m, 1))
             ELSE IF b.st = "NUMBERED" THEN EnterRow(m, 1, {}) ELSE m

(* Nobody waits any more: what was seen of others is forgotten. The code remembers it for longer, for those who never
   wait. *)
Tidy(m) ==
    IF \E i \in 1 .. Len(m.blocks) : m.blocks[i].st \in {"QUEUED", "ENTERING", "CLAIMING"} THEN m
    ELSE [m EXCEPT !.watch = [q \in Processes |-> NoWatch], !.held = NotHeld, !.open = NotOpen]

(* What the loop does before it turns to the next event. *)
Settle(p, m) == Tidy(HurryNext(Pump(p, PassOn(p, m))))

(* An event of process p that makes m of it, and the calls that are answered at once. *)
RECURSIVE Run(_, _, _)
Run(p, m, d) ==
    LET settled == Settle(p, m)
        swift == {c \in settled.calls : c.at = "sent" /\ c.op \notin Slow}
    IN  IF swift = {} THEN [me |-> settled, db |-> d]
        ELSE LET c == CHOOSE x \in swift : TRUE
                 done == Land(d, c)
             IN  Run(p, Handle(p, [settled EXCEPT !.calls = @ \ {c}], done.call), done.db)

Step(p, m) ==
    LET done == Run(p, m, db)
    IN  /\ me' = [me EXCEPT ![p] = done.me]
        /\ db' = done.db
        /\ last' = IF done.me.cur \notin {Nobody, me[p].cur} THEN done.me.no ELSE last

-------------------------------------------------------------------------------
(*                               3. The world                                *)

Init ==
    /\ db = EmptyTable
    /\ me = [p \in Processes |-> Started]
    /\ late = {}
    /\ todo = Callers
    /\ faults = Faults
    /\ crashes = Crashes
    /\ last = 0

IsUp(p) == me[p].live # "down"

WaitsIn(m, c) ==
    \/ \E i \in 1 .. Len(m.gather) : m.gather[i] = c
    \/ \E i \in 1 .. Len(m.numbering.cs) : m.numbering.cs[i].who = c
    \/ \E i \in 1 .. Len(m.blocks) : \E j \in 1 .. Len(m.blocks[i].cs) : m.blocks[i].cs[j].who = c
Waits(c) == WaitsIn(me[Home[c]], c)
Holds(c) == me[Home[c]].cur = c

(* -- Callers -- *)

Arrive(c) ==
    /\ c \in todo /\ IsUp(Home[c])
    /\ \A x \in Callers : <<x, c>> \in Apart => x \notin todo /\ ~Waits(x) /\ ~Holds(x)
    /\ todo' = todo \ {c}
    /\ Step(Home[c], [me[Home[c]] EXCEPT !.gather = Append(@, c)])
    /\ UNCHANGED <<late, faults, crashes>>

LetGo(p) ==
    /\ me[p].cur # Nobody
    /\ Step(p, [me[p] EXCEPT !.cur = Nobody])
    /\ UNCHANGED <<late, todo, faults, crashes>>

MaxHoldEnds(p) ==
    /\ me[p].cur \in Overstayers
    /\ Step(p, ForceOut(me[p]))
    /\ UNCHANGED <<late, todo, faults, crashes>>

HandOverEarly(p) ==
    /\ MayHandOverEarly(me[p])
    /\ Step(p, SendHandOver(p, me[p]))
    /\ UNCHANGED <<late, todo, faults, crashes>>

ForgetsHandOver(p) ==
    /\ MayForgetHandOver(me[p])
    /\ Step(p, ForgetHandOver(me[p]))
    /\ UNCHANGED <<late, todo, faults, crashes>>

(* A caller times out, is cancelled or interrupted. Blocks with a call under way are dealt with when it is answered. *)
GiveUp(c) ==
    LET p == Home[c]
        others(x) == x.who # c
        m == [me[p] EXCEPT !.gather = SelectSeq(@, LAMBDA x : x # c),
                           !.numbering.cs = SelectSeq(@, others),
                           !.blocks = [i \in 1 .. Len(@) |-> [@[i] EXCEPT !.cs = SelectSeq(@, others)]]]
        emptied == {i \in 1 .. Len(m.blocks) : m.blocks[i].cs = <<>> /\ me[p].blocks[i].cs # <<>>}
        i == Min(emptied)
    IN  /\ c \in Leavers /\ Waits(c)
        /\ Step(p, IF emptied = {} THEN m
                   ELSE IF m.blocks[i].st = "QUEUED" \/ (m.blocks[i].st = "NUMBERED" /\ i = 1) THEN LeaveBlock(m, i)
                   ELSE IF m.blocks[i].st = "NUMBERED"
                        THEN Send([m EXCEPT !.blocks = Without(@, i)], Withdraw(m.blocks[i]))
                   ELSE m)
        /\ UNCHANGED <<late, todo, faults, crashes>>

(* -- Timers of a process -- *)

CanPoll(p) == me[p].blocks # <<>> /\ Head(me[p].blocks).st = "QUEUED" /\ ~UnderWay(me[p], {"look"})
Polling(p) == LET b == Head(me[p].blocks) IN Send(me[p], {[Call("look", b.id) EXCEPT !.first = b.first]})

Poll(p) ==
    /\ CanPoll(p)
    /\ Step(p, Polling(p))
    /\ UNCHANGED <<late, todo, faults, crashes>>

(* The end of a block has waited long enough for the numbers that are being taken. *)
NumbersOverdue(p) ==
    LET m == me[p]
    IN  /\ m.blocks # <<>> /\ m.cur = Nobody /\ m.numbering.op \in {"take", "extend"}
        /\ Head(m.blocks).st = "HOLDING" /\ Head(m.blocks).cs = <<>>
        /\ Following(m) = 0 /\ ~IsHandingOver(m)
        /\ Step(p, SendRelease(m))
        /\ UNCHANGED <<late, todo, faults, crashes>>

CanBeat(p) == me[p].live = "yes" /\ me[p].left \in 1 .. Lease - 1 /\ me[p].sent = NoBeat

SendBeat(p) ==
    LET m == me[p]
    IN  /\ CanBeat(p)
        /\ Step(p, Send([m EXCEPT !.sent = Lease], {[Call("beat", Session(p, m)) EXCEPT !.ids = m.settled]}))
        /\ UNCHANGED <<late, todo, faults, crashes>>

CanExpire(p) == me[p].live = "yes" /\ me[p].left = 0

Expire(p) ==
    /\ CanExpire(p)
    /\ Step(p, Lose(p, me[p], FALSE))
    /\ UNCHANGED <<late, todo, faults, crashes>>

CanStart(p) == me[p].live = "no" /\ me[p].gather # <<>> /\ me[p].s < Sessions[p]

StartSession(p) ==
    LET m == me[p]
    IN  /\ CanStart(p)
        /\ Step(p, Send([m EXCEPT !.live = "creating", !.s = @ + 1, !.made = 0, !.sent = Lease],
                        {Call("createSession", <<p, m.s + 1>>)}))
        /\ UNCHANGED <<late, todo, faults, crashes>>

Watched(p, q) == <<q, me[p].watch[q].s>>
CanWatch(p, q) ==
    /\ me[p].watch[q].s # 0
    /\ ~\E c \in me[p].calls : c.op \in {"readSession", "bury"} /\ c.id = Watched(p, q)
Watching(p, q) == Send(me[p], {Call("readSession", Watched(p, q))})

WatchPeer(p, q) ==
    /\ CanWatch(p, q)
    /\ Step(p, Watching(p, q))
    /\ UNCHANGED <<late, todo, faults, crashes>>

(* -- Time -- *)

(* A process that has no further session must be able to keep this one, or nobody would be left to serve. *)
KeepsItsLast(p, m) ==
    m.s = Sessions[p] => (m.live = "yes" => m.left > 1) /\ (m.live = "creating" => m.sent > 1)

Changes(p, m) == LET done == Run(p, m, db) IN done.me # me[p] \/ done.db # db

(* What process p does at once, if it is not paused. A look or a read that shows nothing new changes nothing. *)
HasToDo(p) ==
    \/ me[p].calls # {}
    \/ CanExpire(p) \/ CanStart(p)
    \/ CanPoll(p) /\ Changes(p, Polling(p))
    \/ \E q \in Processes : CanWatch(p, q) /\ Changes(p, Watching(p, q))

Longest == Lease * (Cardinality(Callers) - 1)

Older(m) ==
    [m EXCEPT !.left = Less(@),
              !.sent = Less(@),
              !.watch = [q \in Processes |-> [@[q] EXCEPT !.left = Less(@)]],
              !.held.left = Less(@),
              !.open.n = IF m.open.id = None \/ @ = Longest THEN @ ELSE @ + 1]

CanTick == \A p \in Processes : KeepsItsLast(p, me[p]) /\ (p \in Timely => ~HasToDo(p))
TimeMatters == \E p \in Processes : Older(me[p]) # me[p]

Tick ==
    /\ CanTick
    /\ me' = [p \in Processes |-> Older(me[p])]
    /\ UNCHANGED <<db, late, todo, faults, crashes, last>>

(* -- The network -- *)

Replace(p, c, calls) == [me EXCEPT ![p].calls = (@ \ {c}) \cup calls]

Landing(p) ==
    \E c \in me[p].calls :
        /\ c.at = "sent" /\ ~(Torn /\ c.op = "look")
        /\ LET done == Land(db, c)
           IN  db' = done.db /\ me' = Replace(p, c, {done.call})
        /\ \/ UNCHANGED <<late, faults>>
           \/ /\ faults > 0 /\ "twice" \in Kinds /\ c.op \notin Reads \cup {"createSession"}
              /\ late' = late \cup {c} /\ faults' = faults - 1
        /\ UNCHANGED <<todo, crashes, last>>

(* A Query is no snapshot: the lock item and the rows may be read at different moments, in either order. *)
TornLook(p) ==
    \E c \in me[p].calls :
        /\ Torn /\ c.op = "look"
        /\ \/ c.at = "sent" /\ me' = Replace(p, c, {[ReadLock(db, c) EXCEPT !.at = "rows"]})
           \/ c.at = "sent" /\ me' = Replace(p, c, {[ReadRows(db, c) EXCEPT !.at = "lock"]})
           \/ c.at = "rows" /\ me' = Replace(p, c, {[ReadRows(db, c) EXCEPT !.at = "answered"]})
           \/ c.at = "lock" /\ me' = Replace(p, c, {[ReadLock(db, c) EXCEPT !.at = "answered"]})
        /\ UNCHANGED <<db, late, todo, faults, crashes, last>>

Receive(p) ==
    \E c \in me[p].calls :
        /\ c.at = "answered"
        /\ Step(p, Handle(p, [me[p] EXCEPT !.calls = @ \ {c}], c))
        /\ UNCHANGED <<late, todo, faults, crashes>>

TimeOut(p) ==
    \E c \in me[p].calls :
        /\ faults > 0
        /\ c.op = "createSession" => me[p].s < Sessions[p]
        /\ \/ c.at = "sent" /\ "lost" \in Kinds /\ UNCHANGED late
           \/ c.at = "sent" /\ "late" \in Kinds /\ c.op \notin Reads /\ late' = late \cup {c}
           \/ c.at = "answered" /\ "unheard" \in Kinds /\ UNCHANGED late
        /\ Step(p, HandleFailure(p, [me[p] EXCEPT !.calls = @ \ {c}], c))
        /\ faults' = faults - 1
        /\ UNCHANGED <<todo, crashes>>

(* It may land at any time, or never. *)
LandLate ==
    \E c \in late :
        /\ db' = [Land(db, c).db EXCEPT !.strays = @ \cup {c.id}]
        /\ late' = late \ {c}
        /\ UNCHANGED <<me, todo, faults, crashes, last>>

Crash(p) ==
    /\ crashes > 0 /\ IsUp(p)
    /\ crashes' = crashes - 1
    /\ me' = [me EXCEPT ![p] = Down]
    /\ late' = late \cup {c \in me[p].calls : c.at = "sent" /\ c.op \notin Reads}
    /\ UNCHANGED <<db, todo, faults, last>>

-------------------------------------------------------------------------------

Timers(p) == Poll(p) \/ NumbersOverdue(p) \/ SendBeat(p) \/ Expire(p) \/ StartSession(p)
             \/ \E q \in Processes : WatchPeer(p, q)
Network(p) == Landing(p) \/ TornLook(p) \/ Receive(p) \/ TimeOut(p)

Next ==
    \/ \E c \in Callers : Arrive(c) \/ GiveUp(c)
    \/ \E p \in Processes : LetGo(p) \/ MaxHoldEnds(p) \/ HandOverEarly(p) \/ ForgetsHandOver(p)
                              \/ Timers(p) \/ Network(p) \/ Crash(p)
    \/ LandLate
    \/ Tick

(* What goes on by itself: not arrivals, faults, crashes and late landings, of which there are only so many. *)
GoesOn == (CanTick /\ TimeMatters) \/ \E p \in Processes : me[p].cur # Nobody \/ HasToDo(p) \/ CanBeat(p)

(* Whoever holds the lock lets go, and something happens as long as something goes on. That is enough where all
   are Timely: a tick comes only when everybody has done what there is to do. *)
Fairness ==
    /\ []<>~GoesOn \/ []<><<TRUE>>_vars
    /\ \A p \in Processes : []<>(me[p].cur = Nobody)

Safely == Init /\ [][Next]_vars
Spec == Safely /\ Fairness

(* Bounds a search; never used with liveness, which it would falsify or, worse, hide. *)
Bounded == db.tail <= MaxTail

-------------------------------------------------------------------------------
(*                             4. What we promise                            *)

IsValid(p) == me[p].cur # Nobody /\ me[p].live = "yes" /\ me[p].left > 0

(* Within a process there is only one `cur`. *)
MutualExclusion == \A p, q \in Processes : IsValid(p) /\ IsValid(q) => p = q

ValidHandleIsTheHolder ==
    \A p \in Processes : IsValid(p) => me[p].blocks # <<>> /\ db.holder = Head(me[p].blocks).id

(* No caller is granted the lock before the write that hands it over is answered. *)
ValidNumbersAreServed == \A p \in Processes : IsValid(p) => me[p].no <= db.serving

NobodyIsPassed == ~db.passed

Granted(p) == me'[p].cur \notin {Nobody, me[p].cur}
NumbersRise == [][\A p \in Processes : Granted(p) => me'[p].no > last]_vars
ServingRises == [][db'.serving >= db.serving]_vars
TheDeadStayDead == [][\A s \in SessionIds : db.sess[s] = Gone => db'.sess[s] = Gone]_vars
GrantsAreValid == [][\A p \in Processes : Granted(p) => me'[p].left > 0]_vars

(* -- Liveness -- *)

WaitersAreServed == \A c \in Callers : Waits(c) ~> ~Waits(c)

(* What a crashed process left is found when somebody needs the lock; so is what landed late. *)
Excused(id) == id \in db.strays \/ ~IsUp(id[1]) \/ ~Alive(db, SessionOf(id))
NoTrace ==
    /\ db.holder = None \/ Excused(db.holder)
    /\ \A r \in db.rows : Excused(r.id)
    /\ \A s \in SessionIds : Alive(db, s) => ~IsUp(s[1]) \/ me[s[1]].s = s[2] \/ s \in db.strays
NothingIsLeft == <>[]((\A c \in Callers : ~Waits(c) /\ ~Holds(c)) => NoTrace)

TypeOK ==
    /\ db.serving <= db.tail
    /\ \A p \in Processes : \A i \in 1 .. Len(me[p].blocks) :
        me[p].blocks[i].st \in {"NUMBERED", "ENTERING", "QUEUED", "CLAIMING", "HOLDING", "CHANGING"}
===============================================================================
