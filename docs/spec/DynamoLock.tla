------------------------------ MODULE DynamoLock ------------------------------
(***************************************************************************)
(* The lock protocol for one lock, with the names of io.dynamolock.protocol *)
(* where that has a rule.                                                  *)
(*                                                                         *)
(*   1. the table: the lock's item, the sessions' items, and what each     *)
(*      call does to them, on which conditions;                            *)
(*   2. a process: what it remembers, and what it does with each answer;   *)
(*   3. the world: callers, time, the network and its faults, crashes;     *)
(*   4. what we promise.                                                   *)
(*                                                                         *)
(* One step of a process is one event of its loop: it notes what the event *)
(* tells, then Settle decides what to do. So sections 1 and 2 are plain    *)
(* functions; only section 3 has actions. Time is counted in ticks, and    *)
(* only as what is left of something. A process that takes no step while   *)
(* ticks go by is paused; no step is ever forced.                          *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Processes,   \* numbers
    Home,        \* a function: the process of each caller
    Wants,       \* a function: what each caller wants, one of Alone, Shared, Permit(n) and Unknown
    Lease,       \* in ticks
    Sessions,    \* a function: how many sessions each process may go through
    Most,        \* how many blocks the queue may have
    Growing,     \* whether callers join a block that is last in the queue
    Stale,       \* by how many writes a look may be older than its sending, if it is not a consistent one
    Slow,        \* the calls that take time; the others are answered within the step that sends them
    Far,         \* the processes for which they do
    Faults,      \* how many calls may fail their senders
    Kinds,       \* in which ways: "lost", "unheard" (it landed, the answer is lost), "late", "twice"
    Mortal,      \* processes that may crash
    Removals,    \* how often somebody removes the lock's item by hand
    Hasty,       \* callers that do not wait
    Leavers,     \* callers that may give up waiting
    Apart,       \* pairs of callers of whom the second comes only when the first has come and gone
    Overstayers, \* callers that may be forced out, and may still be running
    Keepers,     \* callers that may never let go
    Downgraders, \* callers that want the lock alone, and may turn into readers when they have it
    Changers,    \* callers that set the number of permits for all
    Curious,     \* processes that look at the lock though nobody waits, for people
    Timely,      \* processes that are quicker than a tick, as are their answers; any other may be paused
    Steady,      \* processes whose beats are sent and answered with each tick; the others send them when they like
    Within       \* in how many ticks a crashed holder is out if somebody waits; 0 if that is not counted

VARIABLES
    db,          \* the table
    me,          \* the processes
    late,        \* requests whose senders gave them up, or that landed and will land again
    todo,        \* callers that have not come yet
    left,        \* how much more may go wrong: [faults, removals, ticks]
    last         \* the greatest ticket that was granted in each mode

vars == <<db, me, late, todo, left, last>>

Callers == DOMAIN Home
Nobody == "nobody"
None == <<>>

Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Max(S) == CHOOSE x \in S : \A y \in S : x >= y
Less(n) == IF n > 0 THEN n - 1 ELSE n
Range(seq) == {seq[i] : i \in DOMAIN seq}

(* A session is <<process, which of its sessions>>, a block <<process, session, number>>. *)
SessionIds == UNION {{p} \X (1 .. Sessions[p]) : p \in Processes}
SessionOf(block) == <<block[1], block[2]>>

NotYet == -2
Gone == -1

(* A mode that no process here knows is a newer version's. *)
Modes == {"exclusive", "shared", "permit", "unknown"}
Alone == [mode |-> "exclusive", permits |-> 0]
Shared == [mode |-> "shared", permits |-> 0]
Permit(n) == [mode |-> "permit", permits |-> n]
Unknown == [mode |-> "unknown", permits |-> 0]

-------------------------------------------------------------------------------
(*                        1. The table, and the calls                        *)

Entry(block, callers, mode) == [block |-> block, callers |-> callers, mode |-> mode]
NoEntry == Entry(None, 0, "exclusive")

Absent == [tail |-> 0, queue |-> <<>>, permits |-> 0]

EmptyTable ==
    [item |-> Absent, past |-> <<>>,                                  \* what a look may still show
     base |-> 0,                                                      \* what a new item starts from: a clock
     sess |-> [s \in SessionIds |-> IF s[2] = 1 THEN 0 ELSE NotYet],  \* the beat, if the item exists
     disputes |-> {},                                                 \* blocks
     strays |-> {}, overstayed |-> {}, renamed |-> {}, widest |-> 0]  \* history, read by the promises only

Alive(d, s) == d.sess[s] >= 0

(* A call is its request and, later, its answer. *)
Call(op, id) ==
    [op |-> op, id |-> id, entry |-> NoEntry, i |-> 0, to |-> NoEntry, entries |-> None, most |-> 0, permits |-> 0, since |-> {},
     beat |-> Gone, ids |-> {}, at |-> "sent", ok |-> TRUE, item |-> Absent]

(* -- LockItem -- *)

IndexOf(item, block) ==
    IF \E i \in DOMAIN item.queue : item.queue[i].block = block
    THEN Min({i \in DOMAIN item.queue : item.queue[i].block = block}) ELSE 0

RECURSIVE CallersIn(_)
CallersIn(queue) == IF queue = <<>> THEN 0 ELSE Head(queue).callers + CallersIn(Tail(queue))

LastTicket(item, i) == item.tail - CallersIn(SubSeq(item.queue, i + 1, Len(item.queue)))

(* Whether an entry lets one behind it hold the lock. A mode that this process does not know lets none. *)
Admits(mode, behind) == mode = behind /\ mode \in {"shared", "permit"}

(* Whether the entry at this place holds the lock. The entries before it do, too. *)
HoldsAt(item, i) ==
    /\ \A j \in 1 .. i - 1 : Admits(item.queue[j].mode, item.queue[i].mode)
    /\ item.queue[i].mode = "permit" => i <= Max({1, item.permits})

(* Whether the entry keeps those behind it from the lock: all before it hold it. *)
IsInTheWay(item, i) == \A j \in 1 .. i - 1 : HoldsAt(item, j)

(* -- Condition -- *)

EntryAt(item, i, entry) == i \in DOMAIN item.queue /\ item.queue[i] = entry
NobodyAt(item, i) == Len(item.queue) < i
Missing(item, entry) == entry \notin Range(item.queue)
PermitsAre(item, n) == n = 0 \/ item.permits \in {0, n}

(* -- Step -- *)

Written(d, c, item) ==
    [db |-> [d EXCEPT !.item = item, !.widest = Max({@, item.permits}),
                      !.past = SubSeq(<<d.item>> \o @, 1, Min({Stale, Len(@) + 1}))],
     call |-> [c EXCEPT !.at = "answered", !.item = item]]

Take(d, c, conditions, item) ==
    IF conditions THEN Written(d, c, item)
    ELSE [db |-> d, call |-> [c EXCEPT !.at = "answered", !.ok = FALSE, !.item = d.item]]

Ask(d, c) ==
    Take(d, c, /\ NobodyAt(d.item, c.most)
               /\ PermitsAre(d.item, c.permits)
               /\ Missing(d.item, c.entry),
         [tail |-> (IF d.item.tail = 0 THEN d.base ELSE d.item.tail) + c.entry.callers,
          queue |-> Append(d.item.queue, c.entry),
          permits |-> IF c.permits = 0 THEN d.item.permits ELSE c.permits])

Grow(d, c) ==
    Take(d, c, /\ EntryAt(d.item, c.i, c.entry)
               /\ NobodyAt(d.item, c.i + 1),
         [d.item EXCEPT !.tail = @ + c.to.callers - c.entry.callers, !.queue[c.i] = c.to])

(* The entries to take out, by their places: those that are none stay. *)
Leave(d, c) ==
    LET queue == d.item.queue
        takenOut(i) == i \in DOMAIN c.entries /\ c.entries[i] # NoEntry
        staying == {i \in DOMAIN queue : ~takenOut(i)}
    IN  Take(d, c, \A i \in DOMAIN c.entries : takenOut(i) => EntryAt(d.item, i, c.entries[i]),
             [d.item EXCEPT !.queue = [n \in 1 .. Cardinality(staying) |->
                 queue[CHOOSE i \in staying : Cardinality({j \in staying : j <= i}) = n]]])

(* To a new number, for the rest of a block; with another mode it is a downgrade. *)
Rename(d, c) ==
    LET done == Take(d, c, EntryAt(d.item, c.i, c.entry), [d.item EXCEPT !.queue[c.i] = c.to])
    IN  [done EXCEPT !.db.renamed = IF done.call.ok THEN @ \cup {<<d.item.queue[c.i].block, c.to.block>>} ELSE @]

(* On request, whatever it was. *)
Resize(d, c) == Take(d, c, d.item.permits # c.permits, [d.item EXCEPT !.permits = c.permits])

(* -- SessionStep -- *)

Answered(d, c, ok) == [db |-> d, call |-> [c EXCEPT !.at = "answered", !.ok = ok]]

WithoutSession(d, s) ==
    [d EXCEPT !.sess[s] = IF @ = NotYet THEN NotYet ELSE Gone,
              !.disputes = {b \in @ : SessionOf(b) # s}]

(* The table cannot tell a session that has ended from one that has not begun: so a Begin is sent once. *)
Begin(d, c) ==
    IF Alive(d, c.id) THEN Answered(d, c, FALSE) ELSE Answered([d EXCEPT !.sess[c.id] = 0], c, TRUE)

(* One that lands after a later one is refused: see Overtaken. *)
Beat(d, c) ==
    IF Alive(d, c.id)
    THEN LET e == [d EXCEPT !.sess[c.id] = c.beat, !.disputes = @ \ c.ids]
         IN  Answered(e, [c EXCEPT !.ids = {b \in e.disputes : SessionOf(b) = c.id}], TRUE)
    ELSE Answered(d, c, FALSE)

Bury(d, c) ==
    IF d.sess[c.id] = c.beat \/ ~Alive(d, c.id) THEN Answered(WithoutSession(d, c.id), c, TRUE)
                                                ELSE Answered(d, c, FALSE)

End(d, c) == Answered(WithoutSession(d, c.id), c, TRUE)

Raise(d, c) ==
    IF Alive(d, SessionOf(c.id)) THEN Answered([d EXCEPT !.disputes = @ \cup {c.id}], c, TRUE)
                                 ELSE Answered(d, c, FALSE)

ReadSession(d, c) == Answered(d, [c EXCEPT !.beat = d.sess[c.id]], Alive(d, c.id))

(* What a request does when it lands. *)
Land(d, c) ==
    CASE c.op = "ask"    -> Ask(d, c)
      [] c.op = "grow"   -> Grow(d, c)
      [] c.op = "leave"  -> Leave(d, c)
      [] c.op = "rename" -> Rename(d, c)
      [] c.op = "resize" -> Resize(d, c)
      [] c.op \in {"look", "lookHard"} -> [db |-> d, call |-> [c EXCEPT !.at = "answered", !.item = d.item]]
      [] c.op = "begin"  -> Begin(d, c)
      [] c.op = "beat"   -> Beat(d, c)
      [] c.op = "bury"   -> Bury(d, c)
      [] c.op = "end"    -> End(d, c)
      [] c.op = "raise"  -> Raise(d, c)
      [] c.op = "read"   -> ReadSession(d, c)

Reads == {"look", "lookHard", "read"}

(* Those of the calls that can still change something after this one has landed: a beat is sent when the one before it is
   answered or given up, so any other is an older one. *)
Overtaken(calls, c) == IF c.op = "beat" THEN {x \in calls : x.op # "beat" \/ x.id # c.id} ELSE calls

-------------------------------------------------------------------------------
(*                               2. A process                                *)

(* A block that this process wants in the queue, or out of it:
     mode    that of its entry, and if it is a permit, how many there are for its caller; own: no other caller joins it
     n       its callers, as far as the table has shown them
     cs      the callers in it that wait: who, which of the n, and the ticket once it is fixed
     has     the callers that hold the lock by it: who, and the ticket
     growth  callers that are to join it by a Grow; Nobody for one that gave up
     st      SETTING: the number of permits is to be set first; ASKING: unknown to the table as far as is known; DOOR: the queue was full; WAITING; HOLDING;
             LEAVING: is to be taken out; UNDOING: nobody wants it any more, and whether it is in is not known
     i       its place in the last answer that showed it, and whether that was the last one
     issued  the last ticket issued when it was first seen in the queue, 0 under a name that was not asked for
     again   whether its ask was repeated
     out     whether a caller of it that was no reader was forced out since it got its name; if so, `to` is the next name
     turn    whether its caller turns into a reader with the next name *)
NewBlock(id, cs, wants, most) ==
    [id |-> id, mode |-> wants.mode, permits |-> wants.permits, own |-> FALSE, n |-> Len(cs),
     cs |-> [k \in 1 .. Len(cs) |-> [who |-> cs[k], pos |-> k, no |-> 0]], has |-> {},
     growth |-> <<>>, st |-> "ASKING", i |-> 0, isLast |-> FALSE, issued |-> 0, again |-> FALSE, out |-> FALSE,
     to |-> None, turn |-> FALSE, most |-> most]

NoWatch == [s |-> 0, beat |-> Gone, left |-> 0]
NoFirst == [id |-> None, left |-> 0]
NoBeat == -1

Down ==
    [live |-> "down", s |-> 0, left |-> 0, sent |-> NoBeat, settled |-> {},
     gather |-> <<>>, blocks |-> <<>>, made |-> 0,
     calls |-> {}, dead |-> {}, watch |-> [q \in Processes |-> NoWatch], first |-> NoFirst, unsure |-> FALSE]

Started == [Down EXCEPT !.live = "yes", !.s = 1, !.left = Lease]

Session(p, m) == <<p, m.s>>
IsOwn(p, m, id) == m.live = "yes" /\ SessionOf(id) = Session(p, m)
IsDead(m, id) == SessionOf(id) \in m.dead
NextId(p, m) == <<p, m.s, m.made + 1>>

Send(m, calls) == [m EXCEPT !.calls = @ \cup calls]
UnderWay(m, op, id) == \E c \in m.calls : c.op = op /\ c.id = id
Index(m, id) == IF \E k \in DOMAIN m.blocks : m.blocks[k].id = id
                THEN CHOOSE k \in DOMAIN m.blocks : m.blocks[k].id = id ELSE 0
Knows(m, id) == \E b \in Range(m.blocks) : id \in {b.id, b.to}

InTable == {"WAITING", "HOLDING"}
IsWanted(b) == b.cs # <<>> \/ b.has # {} \/ b.growth # <<>>
HasIt(b, c) == \E x \in b.has : x.who = c
Waits(m) == \E b \in Range(m.blocks) : b.st \in {"WAITING", "DOOR"}

(* Whether a caller that does not wait holds a lock that others may hold beside it shows only after the ask. *)
IsHurried(b) == b.mode \in {"shared", "permit"} /\ \E x \in Range(b.cs) : x.who \in Hasty

Somebody(callers) == SelectSeq(callers, LAMBDA x : x # Nobody)
WhoOf(cs) == [k \in 1 .. Len(cs) |-> cs[k].who]
RECURSIVE CallersOf(_)
CallersOf(blocks) ==
    IF blocks = <<>> THEN <<>> ELSE WhoOf(Head(blocks).cs) \o Somebody(Head(blocks).growth) \o CallersOf(Tail(blocks))
Without(m, id) == [m EXCEPT !.blocks = SelectSeq(@, LAMBDA b : b.id # id)]

(* The blocks that are in the table when this call is sent, and so, if nobody takes them out, in its answer. *)
Since(m) == {b.id : b \in {x \in Range(m.blocks) : x.st \in InTable}}
OnItem(m, op, id) == [Call(op, id) EXCEPT !.since = IF op = "look" THEN {} ELSE Since(m)]

LeaveAt(m, i, entry) ==
    [OnItem(m, "leave", entry.block) EXCEPT !.entries = [k \in 1 .. i |-> IF k = i THEN entry ELSE NoEntry]]

(* -- The session's end -- *)

(* What was held is lost; callers that wait go on under a new session with new blocks. *)
Lose(p, m, gone) ==
    [m EXCEPT !.live = "no", !.left = 0, !.sent = NoBeat, !.settled = {}, !.unsure = FALSE,
              !.gather = CallersOf(m.blocks) \o @, !.blocks = <<>>,
              !.calls = @ \cup (IF gone THEN {} ELSE {Call("end", Session(p, m))}),
              !.dead = IF gone THEN @ \cup {Session(p, m)} ELSE @]

(* -- Standing: what an item means for a block -- *)

(* Absence means that it was taken out if the item is not older than the block's place in it. *)
IsGone(b, item, since) == b.id \in since \/ (b.issued > 0 /\ item.tail >= b.issued)

(* The item shows the block, with these callers of it: their tickets are fixed when it holds the lock. *)
SeenAt(b, item, i) ==
    LET n == item.queue[i].callers
        holds == HoldsAt(item, i)
        isTooLate == IsHurried(b) /\ b.st = "ASKING" /\ ~holds
        joining == Min({Len(b.growth), Max({n - b.n, 0})})
        joined == [k \in 1 .. joining |-> [who |-> b.growth[k], pos |-> b.n + k, no |-> 0]]
        cs == b.cs \o SelectSeq(joined, LAMBDA x : x.who # Nobody)
        st == CASE b.st = "UNDOING" -> "LEAVING"
                [] isTooLate -> "LEAVING"
                [] b.st \in {"ASKING", "DOOR", "WAITING"} -> IF holds THEN "HOLDING" ELSE "WAITING"
                [] OTHER -> b.st
        ticket(x) == IF holds /\ x.no = 0 /\ x.pos <= n THEN LastTicket(item, i) - n + x.pos ELSE x.no
    IN  [b EXCEPT !.n = Max({@, n}), !.st = st, !.i = i, !.isLast = i = Len(item.queue),
                  !.growth = SubSeq(@, joining + 1, Len(@)),
                  !.cs = IF isTooLate THEN <<>> ELSE [k \in 1 .. Len(cs) |-> [cs[k] EXCEPT !.no = ticket(cs[k])]],
                  !.issued = IF b.st \in {"ASKING", "DOOR"} THEN item.tail ELSE @]

Seen(b, item, since) ==
    LET renamed == b.to # None /\ IndexOf(item, b.to) # 0
        x == IF renamed THEN [b EXCEPT !.id = b.to, !.to = None, !.out = FALSE, !.issued = 0,
                                       !.n = item.queue[IndexOf(item, b.to)].callers,
                                       !.mode = item.queue[IndexOf(item, b.to)].mode, !.turn = FALSE,
                                       !.own = @ /\ ~b.turn]
                        ELSE b
        i == IndexOf(item, x.id)
    IN  IF i # 0 THEN SeenAt(x, item, i)
        ELSE IF x.st \in InTable THEN IF IsGone(x, item, since) THEN [x EXCEPT !.st = "GONE"] ELSE x
        ELSE IF x.st = "DOOR" /\ NobodyAt(item, Most) THEN [x EXCEPT !.st = "ASKING"]
        ELSE x

(* Callers of blocks that were taken out ask again. *)
WithoutGone(m) ==
    LET gone == SelectSeq(m.blocks, LAMBDA b : b.st = "GONE")
    IN  [m EXCEPT !.blocks = SelectSeq(@, LAMBDA b : b.st # "GONE"), !.gather = CallersOf(gone) \o @]

(* -- The watch on others -- *)

Watch(m, sessions) ==
    [m EXCEPT !.watch = [q \in Processes |->
        LET wanted == {s[2] : s \in {x \in sessions : x[1] = q}}
        IN  IF wanted = {} \/ m.watch[q].s \in wanted THEN m.watch[q]
            ELSE [NoWatch EXCEPT !.s = Min(wanted)]]]

Dies(m, s) ==
    [m EXCEPT !.dead = @ \cup {s}, !.watch[s[1]] = IF @.s = s[2] THEN NoWatch ELSE @]

SessionAnswered(m, c) ==
    LET w == m.watch[c.id[1]]
    IN  IF w.s # c.id[2] THEN m
        ELSE IF ~c.ok THEN Dies(m, c.id)
        ELSE IF w.beat # c.beat THEN [m EXCEPT !.watch[c.id[1]].beat = c.beat, !.watch[c.id[1]].left = Lease]
        ELSE IF w.left = 0 THEN Send(m, {[Call("bury", c.id) EXCEPT !.beat = c.beat]})
        ELSE m

BuryAnswered(m, c) ==
    IF c.ok THEN Dies(m, c.id)
    ELSE IF m.watch[c.id[1]].s = c.id[2] THEN [m EXCEPT !.watch[c.id[1]].beat = Gone] ELSE m

(* Vigil: the nearest that may live is enough, as it watches the others; unless it holds the lock, for who holds it
   watches nobody; or is silent; or the same entry has been first for a whole lease, for then the nearest may be a block
   that nobody knows of. *)
ToWatch(m, item, living, overdue) ==
    LET nearest == Max(living)
        s == SessionOf(item.queue[nearest].block)
        w == m.watch[s[1]]
        quiet == w.s = s[2] /\ w.beat # Gone /\ w.left = 0
    IN  IF living = {} THEN {}
        ELSE IF quiet \/ overdue \/ HoldsAt(item, nearest) THEN {SessionOf(item.queue[i].block) : i \in living}
        ELSE {s}

(* Vigil: the dead to clear away. By the first that lives behind them, and if nothing has moved for long, by everybody. A
   caller that may hold the lock beside others takes them out from among those who hold it, too, as they may be all that keeps
   it from the lock. *)
ToClear(dead, living, holders, mayJoin, overdue) ==
    IF mayJoin THEN IF living \subseteq holders \/ overdue THEN dead ELSE {}
    ELSE IF living = {} \/ overdue THEN {i \in dead : \A j \in living : i < j}
    ELSE {}

(* What somebody who waits does about those ahead: takes out the dead, and if nothing moves for long, asks the processes of
   those in its way whether they still want their places. There is nothing to do while only this process holds the lock. *)
SeeAhead(p, m, item) ==
    LET queue == item.queue
        waiting(b, id) == id \in {b.id, b.to} /\ b.st # "HOLDING"
        mine == {i \in DOMAIN queue : \E b \in Range(m.blocks) : waiting(b, queue[i].block)}
        mayJoin == \E b \in Range(m.blocks) :
                       /\ b.mode \in {"shared", "permit"}
                       /\ IF mine = {} THEN b.st = "DOOR" ELSE waiting(b, queue[Min(mine)].block)
        ahead == {i \in DOMAIN queue : (\A j \in mine : i < j) /\ ~IsOwn(p, m, queue[i].block)}
        holders == {i \in ahead : HoldsAt(item, i)}
        dead == {i \in ahead : IsDead(m, queue[i].block)}
        living == ahead \ dead
        inTheWay == {i \in living : IF mayJoin THEN IsInTheWay(item, i) ELSE i = 1}
        head == queue[Min(ahead)].block
        since == IF m.first.id = head THEN m.first.left ELSE Lease
        overdue == since = 0
        n == Watch([m EXCEPT !.first = [id |-> head, left |-> since]], ToWatch(m, item, living, overdue))
        out == ToClear(dead, living, holders, mayJoin, overdue)
        clear == [OnItem(m, "leave", None) EXCEPT !.entries =
                     [i \in 1 .. Max(out) |-> IF i \in out THEN queue[i] ELSE NoEntry]]
    IN  IF ~Waits(m) THEN m
        ELSE IF ahead = {} \/ (holders = {} /\ ~mayJoin) THEN [m EXCEPT !.first = NoFirst]
        ELSE IF out # {} THEN IF UnderWay(m, "leave", None) THEN n ELSE Send(n, {clear})
        ELSE IF overdue THEN Send([n EXCEPT !.first.left = Lease], {Call("raise", queue[i].block) : i \in inTheWay})
        ELSE n

(* -- Answers -- *)

(* What every answer that shows the lock's item tells. *)
See(p, m, item, since) ==
    LET n == WithoutGone([m EXCEPT !.blocks = [k \in DOMAIN @ |-> Seen(@[k], item, since)]])
        strays == {i \in DOMAIN item.queue :
                       LET id == item.queue[i].block
                       IN  IsOwn(p, n, id) /\ ~Knows(n, id) /\ ~UnderWay(n, "leave", id)}
        missing == \E b \in Range(n.blocks) : b.st \in InTable /\ IndexOf(item, b.id) = 0
        s == Send([n EXCEPT !.unsure = missing], {LeaveAt(n, i, item.queue[i]) : i \in strays})
    IN  SeeAhead(p, s, item)

AskAnswered(m, c) ==
    LET k == Index(m, c.id)
        b == m.blocks[k]
    IN  IF k = 0 \/ c.ok \/ IndexOf(c.item, c.id) # 0 THEN m
        ELSE IF b.st # "ASKING" THEN m
        ELSE IF b.cs = <<>> \/ c.most < Most \/ IsHurried(b) \/ ~PermitsAre(c.item, c.permits)
        THEN IF b.again THEN [m EXCEPT !.blocks[k].st = "UNDOING", !.blocks[k].cs = <<>>] ELSE Without(m, c.id)
        ELSE [m EXCEPT !.blocks[k].st = "DOOR"]

ResizeAnswered(m, c) ==
    LET k == Index(m, c.id)
    IN  IF k # 0 /\ m.blocks[k].st = "SETTING" THEN [m EXCEPT !.blocks[k].st = "ASKING"] ELSE m

(* Callers that could not join ask for themselves. *)
GrowAnswered(m, c) ==
    LET k == Index(m, c.id)
    IN  IF k = 0 THEN m
        ELSE [m EXCEPT !.gather = Somebody(m.blocks[k].growth) \o @, !.blocks[k].growth = <<>>]

LeaveAnswered(m, c) ==
    LET k == Index(m, c.id)
    IN  IF k = 0 THEN m
        ELSE IF m.blocks[k].st = "LEAVING" /\ IndexOf(c.item, c.id) = 0 THEN Without(m, c.id) ELSE m

UndoAnswered(m, c) ==
    LET k == Index(m, c.id)
    IN  IF k # 0 /\ m.blocks[k].st = "UNDOING" /\ IndexOf(c.item, c.id) = 0 THEN Without(m, c.id) ELSE m

ItemAnswered(p, m, c) ==
    LET n == CASE c.op = "ask"      -> AskAnswered(m, c)
               [] c.op = "leave"    -> LeaveAnswered(m, c)
               [] c.op = "resize"   -> ResizeAnswered(m, c)
               [] c.op = "lookHard" -> UndoAnswered(m, c)
               [] OTHER -> m
        seen == See(p, n, c.item, c.since)
    IN  IF c.op = "grow" THEN GrowAnswered(seen, c) ELSE seen

BeginAnswered(p, m, c) ==
    IF m.live # "creating" \/ c.id # Session(p, m) THEN m
    ELSE IF c.ok /\ m.sent > 0 THEN [m EXCEPT !.live = "yes", !.left = m.sent, !.sent = NoBeat]
    ELSE Send([m EXCEPT !.live = "no", !.sent = NoBeat], {Call("end", c.id)})

(* Valid from the sending of the beat. What is disputed and unknown is looked for, and found to be a stray. *)
BeatAnswered(p, m, c) ==
    IF m.live # "yes" \/ c.id # Session(p, m) THEN m
    ELSE IF ~c.ok THEN Lose(p, m, TRUE)
    ELSE IF m.left = 0 THEN Lose(p, m, FALSE)
    ELSE Send([m EXCEPT !.left = m.sent, !.sent = NoBeat, !.settled = c.ids],
              IF \E id \in c.ids : ~Knows(m, id) THEN {OnItem(m, "lookHard", None)} ELSE {})

Handle(p, m, c) ==
    CASE c.op \in {"ask", "grow", "leave", "rename", "resize", "look", "lookHard"} -> ItemAnswered(p, m, c)
      [] c.op = "begin" -> BeginAnswered(p, m, c)
      [] c.op = "beat"  -> BeatAnswered(p, m, c)
      [] c.op = "read"  -> SessionAnswered(m, c)
      [] c.op = "bury"  -> BuryAnswered(m, c)
      [] c.op = "end"   -> Dies(m, c.id)
      [] c.op = "raise" -> IF c.ok THEN m ELSE Dies(m, SessionOf(c.id))

(* The call's sender has waited long enough. What is still wanted, Settle sends again. *)
HandleFailure(p, m, c) ==
    LET k == Index(m, c.id)
    IN  CASE c.op = "ask" ->
                IF k = 0 \/ m.blocks[k].st # "ASKING" THEN m
                ELSE [m EXCEPT !.blocks[k].again = TRUE,
                               !.blocks[k].st = IF m.blocks[k].cs = <<>> THEN "UNDOING" ELSE @]
          [] c.op = "leave" /\ k = 0 /\ c.id # None -> Send(m, {[c EXCEPT !.at = "sent"]})   \* a stray
          [] c.op = "end"   -> Send(m, {[c EXCEPT !.at = "sent"]})
          [] c.op = "begin" -> Send(IF c.id = Session(p, m) /\ m.live = "creating"
                                    THEN [m EXCEPT !.live = "no", !.sent = NoBeat] ELSE m, {Call("end", c.id)})
          [] c.op = "beat"  -> IF c.id = Session(p, m) /\ m.live = "yes" THEN [m EXCEPT !.sent = NoBeat] ELSE m
          [] OTHER -> m

(* -- Settle: what to do next -- *)

(* A process has one line for each mode, and one for each caller that gets a place of its own. *)
HasOwnPlace(c) == Wants[c].mode = "permit" \/ c \in Downgraders
LineOf(callers, c) ==
    IF HasOwnPlace(c) THEN <<c>> ELSE SelectSeq(callers, LAMBDA x : ~HasOwnPlace(x) /\ Wants[x].mode = Wants[c].mode)
IsBusy(m, c) ==
    /\ ~HasOwnPlace(c)
    /\ \E b \in Range(m.blocks) : ~b.own /\ b.mode = Wants[c].mode /\ (b.st \in {"ASKING", "DOOR"} \/ b.growth # <<>>)

(* How short the queue must be for a caller that does not wait. *)
RoomFor(wants) ==
    CASE wants.mode = "shared" -> Most
      [] wants.mode = "permit" -> Min({wants.permits, Most})
      [] OTHER -> 1

(* Callers that came join the last block of their line if it is last in the queue; else they ask together. *)
GatheredWith(p, m, first) ==
    LET hurried == first \in Hasty
        some == IF hurried THEN <<first>> ELSE SelectSeq(LineOf(m.gather, first), LAMBDA c : c \notin Hasty)
        rest == SelectSeq(m.gather, LAMBDA c : c \notin Range(some))
        k == Max({0} \cup {x \in DOMAIN m.blocks : ~m.blocks[x].own /\ m.blocks[x].mode = Wants[first].mode})
        b == m.blocks[k]
        joins == /\ Growing /\ k > 0 /\ ~HasOwnPlace(first)
                 /\ b.st \in InTable /\ b.isLast /\ ~b.again /\ b.growth = <<>>
        block == NewBlock(NextId(p, m), some, Wants[first], IF hurried THEN RoomFor(Wants[first]) ELSE Most)
        st == IF first \in Changers THEN "SETTING" ELSE "ASKING"
    IN  IF joins /\ ~hurried THEN [m EXCEPT !.blocks[k].growth = some, !.gather = rest]
        ELSE [m EXCEPT !.blocks = Append(@, [block EXCEPT !.st = st, !.own = HasOwnPlace(first)]),
                       !.gather = rest, !.made = @ + 1]

RECURSIVE Gathered(_, _)
Gathered(p, m) ==
    LET ready == {k \in DOMAIN m.gather : ~IsBusy(m, m.gather[k])}
    IN  IF ready = {} \/ m.live # "yes" \/ m.left = 0 THEN m
        ELSE Gathered(p, GatheredWith(p, m, m.gather[Min(ready)]))

(* How many callers of the block are to get the lock now. *)
Turns(b) ==
    IF b.st # "HOLDING" \/ b.out THEN 0
    ELSE IF b.mode = "shared" THEN Len(b.cs)
    ELSE IF b.has = {} THEN Min({1, Len(b.cs)}) ELSE 0
Given(b) ==
    [b EXCEPT !.has = @ \cup {[who |-> b.cs[k].who, no |-> b.cs[k].no] : k \in 1 .. Turns(b)},
              !.cs = SubSeq(@, Turns(b) + 1, Len(@))]

(* Passes the lock to the next caller of the block that holds it, or to all who may hold it together. *)
PassedOn(p, m) ==
    LET needsName(b) == b.st = "HOLDING" /\ b.out /\ b.to = None /\ (b.cs # <<>> \/ b.has # {})
        nameless == {k \in DOMAIN m.blocks : needsName(m.blocks[k])}
        n == IF nameless = {} THEN m ELSE [m EXCEPT !.blocks[Min(nameless)].to = NextId(p, m), !.made = @ + 1]
    IN  IF \A b \in Range(n.blocks) : Turns(b) = 0 THEN n
        ELSE IF m.left > 0
        THEN [n EXCEPT !.blocks = [k \in DOMAIN @ |-> Given(@[k])]]
        ELSE Lose(p, m, FALSE)

(* A block that nobody wants any more leaves; growth that nobody waits for is dropped. *)
Ended(m) ==
    LET grown(b) == IF Somebody(b.growth) = <<>> THEN [b EXCEPT !.growth = <<>>] ELSE b
        ended(b) == IF b.st \in InTable /\ ~IsWanted(b) THEN [b EXCEPT !.st = "LEAVING"]
                    ELSE IF b.st = "DOOR" /\ b.cs = <<>> THEN [b EXCEPT !.st = "UNDOING"]
                    ELSE b
        blocks == [k \in DOMAIN m.blocks |-> ended(grown(m.blocks[k]))]
    IN  [m EXCEPT !.blocks = SelectSeq(blocks, LAMBDA b : b.st # "SETTING" \/ b.cs # <<>>)]

(* The write or look that a block needs now. *)
Wanted(m, b) ==
    LET entry == Entry(b.id, b.n, b.mode)
        renamed == Entry(b.to, Len(b.cs) + Cardinality(b.has), IF b.turn THEN "shared" ELSE b.mode)
    IN  CASE b.st = "SETTING" -> [OnItem(m, "resize", b.id) EXCEPT !.permits = b.permits]
          [] b.st = "ASKING" -> [OnItem(m, "ask", b.id) EXCEPT !.entry = entry, !.most = b.most, !.permits = b.permits]
          [] b.st = "LEAVING" -> LeaveAt(m, b.i, entry)
          [] b.st = "UNDOING" -> OnItem(m, "lookHard", b.id)
          [] b.st = "HOLDING" /\ b.to # None ->
                [OnItem(m, "rename", b.id) EXCEPT !.i = b.i, !.entry = entry, !.to = renamed]
          [] b.st \in InTable /\ b.growth # <<>> ->
                [OnItem(m, "grow", b.id) EXCEPT !.entry = entry, !.i = b.i, !.to = Entry(b.id, b.n + Len(b.growth), b.mode)]
          [] OTHER -> Call("none", None)

SendWanted(m) ==
    LET wanted == {Wanted(m, b) : b \in {x \in Range(m.blocks) : ~\E c \in m.calls :
                                             c.id = x.id /\ c.op \in {"ask", "grow", "leave", "rename", "resize", "lookHard"}}}
    IN  Send([m EXCEPT !.unsure = FALSE],
             {c \in wanted : c.op # "none"}
                 \cup (IF m.unsure /\ ~UnderWay(m, "lookHard", None) THEN {OnItem(m, "lookHard", None)} ELSE {}))

(* Nobody waits any more: what was seen of others is forgotten. *)
Tidy(m) ==
    IF Waits(m) THEN m ELSE [m EXCEPT !.watch = [q \in Processes |-> NoWatch], !.first = NoFirst]

Settle(p, m) ==
    LET n == Gathered(p, PassedOn(p, Ended(m)))
        done == Ended(n)
    IN  IF m.live # "yes" THEN Tidy(m) ELSE Tidy(SendWanted(done))

(* An event of process p that makes m of it, and the calls that are answered at once. *)
RECURSIVE Run(_, _, _)
Run(p, m, d) ==
    LET settled == Settle(p, m)
        swift == {c \in settled.calls : c.at = "sent" /\ (c.op \notin Slow \/ p \notin Far)}
    IN  IF swift = {} THEN [me |-> settled, db |-> d]
        ELSE LET c == CHOOSE x \in swift : TRUE
                 done == Land(d, c)
             IN  Run(p, Handle(p, [settled EXCEPT !.calls = @ \ {c}], done.call), done.db)

(* Who has the lock, by what it still wants: one that turns into a reader is one from that moment. *)
GrantsOf(m) ==
    UNION {{[who |-> x.who, no |-> x.no, id |-> b.id,
             mode |-> IF x.who \in Downgraders /\ (b.turn \/ b.mode = "shared") THEN "shared" ELSE Wants[x.who].mode] :
            x \in b.has} : b \in Range(m.blocks)}
NewGrants(p, m) == {g \in GrantsOf(m) : \A b \in Range(me[p].blocks) : ~HasIt(b, g.who)}

LastOf(ms) ==
    LET granted == UNION {NewGrants(p, ms[p]) : p \in Processes}
    IN  [mode \in Modes |-> Max({last[mode]} \cup {g.no : g \in {x \in granted : x.mode = mode}})]

StepFrom(p, m, d) ==
    LET done == Run(p, m, d)
    IN  /\ me' = [me EXCEPT ![p] = done.me]
        /\ db' = done.db
        /\ last' = LastOf([me EXCEPT ![p] = done.me])

Step(p, m) == StepFrom(p, m, db)

-------------------------------------------------------------------------------
(*                               3. The world                                *)

Init ==
    /\ db = EmptyTable
    /\ me = [p \in Processes |-> Started]
    /\ late = {}
    /\ todo = Callers
    /\ left = [faults |-> Faults, removals |-> Removals, ticks |-> Within]
    /\ last = [mode \in Modes |-> 0]

IsUp(p) == me[p].live # "down"

WaitsIn(m, c) ==
    \/ c \in Range(m.gather)
    \/ \E b \in Range(m.blocks) : c \in Range(WhoOf(b.cs)) \cup Range(b.growth)
IsWaiting(c) == WaitsIn(me[Home[c]], c)
Holds(c) == \E b \in Range(me[Home[c]].blocks) : HasIt(b, c)
BlockOf(c) == CHOOSE k \in DOMAIN me[Home[c]].blocks : HasIt(me[Home[c]].blocks[k], c)
Others(has, c) == {x \in has : x.who # c}

(* -- Callers -- *)

Arrive(c) ==
    /\ c \in todo /\ IsUp(Home[c])
    /\ \A x \in Callers : <<x, c>> \in Apart => x \notin todo /\ ~IsWaiting(x) /\ ~Holds(x)
    /\ todo' = todo \ {c}
    /\ Step(Home[c], [me[Home[c]] EXCEPT !.gather = Append(@, c)])
    /\ UNCHANGED <<late, left>>

LetGo(c) ==
    /\ Holds(c)
    /\ Step(Home[c], [me[Home[c]] EXCEPT !.blocks[BlockOf(c)].has = Others(@, c)])
    /\ UNCHANGED <<late, todo, left>>

(* Readers have no fences, so their block keeps its name. *)
MaxHoldEnds(c) ==
    LET p == Home[c]
        k == BlockOf(c)
        needsName == me[p].blocks[k].mode # "shared"
    IN  /\ c \in Overstayers /\ Holds(c)
        /\ StepFrom(p, [me[p] EXCEPT !.blocks[k].has = Others(@, c), !.blocks[k].out = needsName],
                    [db EXCEPT !.overstayed = @ \cup {me[p].blocks[k].id}])
        /\ UNCHANGED <<late, todo, left>>

(* Its block, in which it stands alone, becomes a reader's. *)
Downgrade(c) ==
    LET p == Home[c]
        k == BlockOf(c)
        b == me[p].blocks[k]
    IN  /\ c \in Downgraders /\ Holds(c) /\ b.mode = "exclusive" /\ ~b.turn
        /\ Step(p, [me[p] EXCEPT !.blocks[k].turn = TRUE, !.blocks[k].to = NextId(p, me[p]), !.made = @ + 1])
        /\ UNCHANGED <<late, todo, left>>

(* A caller times out, is cancelled or interrupted. *)
GiveUp(c) ==
    LET p == Home[c]
        gone(b) == [b EXCEPT !.cs = SelectSeq(@, LAMBDA x : x.who # c),
                             !.growth = [k \in DOMAIN @ |-> IF @[k] = c THEN Nobody ELSE @[k]]]
    IN  /\ c \in Leavers /\ IsWaiting(c)
        /\ Step(p, [me[p] EXCEPT !.gather = SelectSeq(@, LAMBDA x : x # c),
                                 !.blocks = [k \in DOMAIN @ |-> gone(@[k])]])
        /\ UNCHANGED <<late, todo, left>>

(* -- Timers of a process -- *)

CanPoll(p) ==
    /\ me[p].live = "yes" /\ ~UnderWay(me[p], "look", None)
    /\ Waits(me[p]) \/ (p \in Curious /\ me[p].blocks # <<>>)
Polling(p) == Send(me[p], {OnItem(me[p], "look", None)})

Poll(p) ==
    /\ CanPoll(p)
    /\ Step(p, Polling(p))
    /\ UNCHANGED <<late, todo, left>>

CanBeat(p) == p \notin Steady /\ me[p].live = "yes" /\ me[p].left \in 1 .. Lease - 1 /\ me[p].sent = NoBeat

(* Beats are only compared for being the same here, so a number nobody remembers may be used again. *)
NewBeat(s) ==
    LET seen(p) == {me[p].watch[s[1]].beat} \cup {c.beat : c \in {x \in me[p].calls : x.id = s}}
        used == UNION {seen(p) : p \in Processes} \cup {c.beat : c \in {x \in late : x.id = s}} \cup {db.sess[s]}
    IN  Min(0 .. Cardinality(used) \ used)

BeatSent(p, m) ==
    Send([m EXCEPT !.sent = Lease],
         {[Call("beat", Session(p, m)) EXCEPT !.ids = m.settled, !.beat = NewBeat(Session(p, m))]})

SendBeat(p) ==
    /\ CanBeat(p)
    /\ Step(p, BeatSent(p, me[p]))
    /\ UNCHANGED <<late, todo, left>>

CanExpire(p) == me[p].live = "yes" /\ me[p].left = 0

Expire(p) ==
    /\ CanExpire(p)
    /\ Step(p, Lose(p, me[p], FALSE))
    /\ UNCHANGED <<late, todo, left>>

CanStart(p) == me[p].live = "no" /\ me[p].gather # <<>> /\ me[p].s < Sessions[p]

StartSession(p) ==
    LET m == me[p]
    IN  /\ CanStart(p)
        /\ Step(p, Send([m EXCEPT !.live = "creating", !.s = @ + 1, !.made = 0, !.sent = Lease],
                        {Call("begin", <<p, m.s + 1>>)}))
        /\ UNCHANGED <<late, todo, left>>

Watched(p, q) == <<q, me[p].watch[q].s>>
CanWatch(p, q) ==
    /\ me[p].watch[q].s # 0
    /\ ~UnderWay(me[p], "read", Watched(p, q)) /\ ~UnderWay(me[p], "bury", Watched(p, q))
Watching(p, q) == Send(me[p], {Call("read", Watched(p, q))})

WatchPeer(p, q) ==
    /\ CanWatch(p, q)
    /\ Step(p, Watching(p, q))
    /\ UNCHANGED <<late, todo, left>>

(* -- Time -- *)

(* A process that has no further session must be able to keep this one, or nobody would be left to serve. *)
KeepsItsLast(p, m) ==
    p \notin Steady /\ m.s = Sessions[p] => (m.live = "yes" => m.left > 1) /\ (m.live = "creating" => m.sent > 1)

Changes(p, m) == LET done == Run(p, m, db) IN done.me # me[p] \/ done.db # db

(* What process p does at once, if it is not paused. A look or a read that shows nothing new changes nothing. *)
HasToDo(p) ==
    \/ me[p].calls # {}
    \/ CanExpire(p) \/ CanStart(p)
    \/ CanPoll(p) /\ Changes(p, Polling(p))
    \/ \E q \in Processes : CanWatch(p, q) /\ Changes(p, Watching(p, q))

Older(p, m) ==
    [m EXCEPT !.left = IF p \in Steady THEN @ ELSE Less(@),
              !.sent = Less(@),
              !.watch = [q \in Processes |-> [@[q] EXCEPT !.left = Less(@)]],
              !.first.left = Less(@)]

CanTick == \A p \in Processes : KeepsItsLast(p, me[p]) /\ (p \in Timely => ~HasToDo(p))
TimeMatters == \E p \in Processes : Older(p, me[p]) # me[p]

RECURSIVE Beaten(_, _, _)
Beaten(ps, ms, d) ==
    IF ps = {} THEN [me |-> ms, db |-> d]
    ELSE LET p == Min(ps)
             done == Run(p, BeatSent(p, ms[p]), d)
         IN  Beaten(ps \ {p}, [ms EXCEPT ![p] = done.me], done.db)

(* A crashed process does so. *)
KeepsOthersOut == \E i \in DOMAIN db.item.queue :
    IsInTheWay(db.item, i) /\ ~IsUp(db.item.queue[i].block[1]) /\ \E p \in Processes : Waits(me[p])

Tick ==
    LET done == Beaten({p \in Steady : me[p].live = "yes"}, [p \in Processes |-> Older(p, me[p])], db)
    IN  /\ CanTick
        /\ me' = done.me /\ db' = done.db /\ last' = LastOf(done.me)
        /\ left' = [left EXCEPT !.ticks = IF KeepsOthersOut THEN Less(@) ELSE Within]
        /\ UNCHANGED <<late, todo>>

(* -- The network -- *)

Landing(p) ==
    \E c \in me[p].calls : \E shown \in {db.item} \cup (IF c.op = "look" THEN Range(db.past) ELSE {}) :
        /\ c.at = "sent"
        /\ LET done == Land(db, c)
               answer == IF c.op = "look" THEN [done.call EXCEPT !.item = shown] ELSE done.call
           IN  db' = done.db /\ me' = [me EXCEPT ![p].calls = (@ \ {c}) \cup {answer}]
        /\ \/ late' = Overtaken(late, c) /\ UNCHANGED left
           \/ /\ left.faults > 0 /\ "twice" \in Kinds /\ c.op \notin Reads \cup {"begin"}
              /\ late' = Overtaken(late, c) \cup {c} /\ left' = [left EXCEPT !.faults = @ - 1]
        /\ UNCHANGED <<todo, last>>

Receive(p) ==
    \E c \in me[p].calls :
        /\ c.at = "answered"
        /\ Step(p, Handle(p, [me[p] EXCEPT !.calls = @ \ {c}], c))
        /\ UNCHANGED <<late, todo, left>>

TimeOut(p) ==
    \E c \in me[p].calls :
        /\ left.faults > 0
        /\ c.op = "begin" => me[p].s < Sessions[p]
        /\ \/ c.at = "sent" /\ "lost" \in Kinds /\ UNCHANGED late
           \/ c.at = "sent" /\ "late" \in Kinds /\ c.op \notin Reads /\ late' = late \cup {c}
           \/ c.at = "answered" /\ "unheard" \in Kinds /\ UNCHANGED late
        /\ Step(p, HandleFailure(p, [me[p] EXCEPT !.calls = @ \ {c}], c))
        /\ left' = [left EXCEPT !.faults = @ - 1]
        /\ UNCHANGED todo

(* It may land at any time, or never. *)
LandLate ==
    \E c \in late :
        /\ db' = [Land(db, c).db EXCEPT !.strays = @ \cup {c.id}]
        /\ late' = Overtaken(late \ {c}, c)
        /\ UNCHANGED <<me, todo, left, last>>

Crash(p) ==
    /\ p \in Mortal /\ IsUp(p)
    /\ me' = [me EXCEPT ![p] = Down]
    /\ late' = late \cup {c \in me[p].calls : c.at = "sent" /\ c.op \notin Reads}
    /\ UNCHANGED <<db, todo, left, last>>

Remove ==
    /\ left.removals > 0 /\ db.item.queue # <<>>
    /\ left' = [left EXCEPT !.removals = @ - 1]
    /\ db' = [Written(db, Call("remove", None), Absent).db EXCEPT !.base = db.item.tail]
    /\ UNCHANGED <<me, late, todo, last>>

-------------------------------------------------------------------------------

Timers(p) == Poll(p) \/ SendBeat(p) \/ Expire(p) \/ StartSession(p) \/ \E q \in Processes : WatchPeer(p, q)
Network(p) == Landing(p) \/ Receive(p) \/ TimeOut(p)

Next ==
    \/ \E c \in Callers : Arrive(c) \/ GiveUp(c) \/ LetGo(c) \/ MaxHoldEnds(c) \/ Downgrade(c)
    \/ \E p \in Processes : Timers(p) \/ Network(p) \/ Crash(p)
    \/ LandLate
    \/ Remove
    \/ Tick

(* What goes on by itself: not arrivals, faults, crashes and late landings, of which there are only so many. *)
GoesOn ==
    \/ CanTick /\ TimeMatters
    \/ \E p \in Processes : HasToDo(p) \/ CanBeat(p)
    \/ \E c \in Callers \ Keepers : Holds(c)

(* Callers that hold the lock let go but for the Keepers, and something happens as long as something goes on. That is enough where all
   are Timely: a tick comes only when everybody has done what there is to do. *)
Fairness ==
    /\ []<>~GoesOn \/ []<><<TRUE>>_vars
    /\ \A c \in Callers \ Keepers : []<>~Holds(c)

Safely == Init /\ [][Next]_vars
Spec == Safely /\ Fairness

-------------------------------------------------------------------------------
(*                             4. What we promise                            *)

IsValid(p) == me[p].live = "yes" /\ me[p].left > 0
Holders == UNION {GrantsOf(me[p]) : p \in {x \in Processes : IsValid(x)}}

(* Who may hold the lock beside whom: readers, and those who have permits. *)
Together(x, y) == x = y /\ x \in {"shared", "permit"}
MutualExclusion == \A x, y \in Holders : x # y => Together(x.mode, y.mode)
PermitsAreBounded == Cardinality({x \in Holders : x.mode = "permit"}) <= db.widest

(* One that was granted a permit keeps it though their number is lowered. *)
ValidHandleHolds ==
    \A p \in Processes : IsValid(p) => \A b \in Range(me[p].blocks) : b.has # {} =>
        \E i \in DOMAIN db.item.queue : /\ db.item.queue[i].block \in {b.id, b.to}
                                        /\ HoldsAt([db.item EXCEPT !.permits = db.widest], i)

(* A caller that was forced out may still be running under the name of its block: readers may, too. *)
OverstayersHaveNoName ==
    \A p \in Processes : IsValid(p) => \A b \in Range(me[p].blocks) :
        b.has # {} /\ b.mode # "shared" => b.id \notin db.overstayed

NobodyStandsTwice == \A i, j \in DOMAIN db.item.queue : db.item.queue[i].block = db.item.queue[j].block => i = j
TheLineIsBounded == Len(db.item.queue) <= Most
TheHastyDoNotWait ==
    \A p \in Processes : \A b \in Range(me[p].blocks) : b.st = "WAITING" => Range(WhoOf(b.cs)) \cap Hasty = {}

TheDeadGoInTime == Within > 0 => left.ticks > 0

Granted(p) == NewGrants(p, me'[p])
(* Of two who may hold the lock together neither has to have the greater number. *)
TicketsRise ==
    [][\A p \in Processes : \A g \in Granted(p) : \A mode \in Modes : ~Together(g.mode, mode) => g.no > last[mode]]_vars
TailRises == [][db'.item = Absent \/ db'.item.tail >= db.item.tail]_vars
GrantsAreValid ==
    [][\A p \in Processes : \A g \in Granted(p) :
        me'[p].left > 0 /\ (g.mode = "shared" \/ g.id \notin db.overstayed)]_vars

(* Only those who may set the number of permits do; and where no answer takes time, nobody gets one too many from then on. *)
PermitsAreAgreed ==
    [][db'.item.permits = db.item.permits \/ db.item.permits = 0 \/ db'.item = Absent
       \/ db'.item.permits \in {Wants[c].permits : c \in Changers}]_vars
PermitsFit ==
    [][\A p \in Processes : \A g \in Granted(p) :
        g.mode = "permit" => IndexOf(db'.item, g.id) \in 1 .. db'.item.permits]_vars

TheDeadStayDead == [][\A s \in SessionIds : db.sess[s] = Gone => db'.sess[s] = Gone]_vars

(* First come, first served: of two blocks in the queue, the one that came first was before the other in the queue
   before; and more callers are only in what is last. A block that is renamed keeps its place. *)
Was(block) ==
    IF IndexOf(db.item, block) # 0 THEN IndexOf(db.item, block)
    ELSE IF \E i \in DOMAIN db.item.queue : <<db.item.queue[i].block, block>> \in db'.renamed
    THEN CHOOSE i \in DOMAIN db.item.queue : <<db.item.queue[i].block, block>> \in db'.renamed
    ELSE 1000
FirstComeFirstServed ==
    [][\A j \in DOMAIN db'.item.queue :
        LET was(i) == Was(db'.item.queue[i].block)
        IN  /\ \A i \in 1 .. j - 1 : was(i) < was(j) \/ was(j) = 1000
            /\ was(j) \in DOMAIN db.item.queue => \/ db'.item.queue[j].callers <= db.item.queue[was(j)].callers
                                                  \/ was(j) = Len(db.item.queue)]_vars

(* No answer makes a process give up a block that is wanted and in the queue. *)
NobodyLosesAPlace ==
    [][\A p \in Processes : \A b \in Range(me[p].blocks) :
        /\ \E c \in me[p].calls \ me'[p].calls : c.at = "answered"
        /\ b.st \in InTable /\ (b.cs # <<>> \/ b.has # {})
        /\ me'[p].live = "yes" /\ me'[p].s = me[p].s
        /\ {b.id, b.to} \cap {e.block : e \in Range(db.item.queue)} # {}
        => Knows(me'[p], b.id) \/ (b.to # None /\ Knows(me'[p], b.to))]_vars

(* -- Liveness -- *)

(* By a caller that never lets go: not only those who cannot hold the lock beside it, but also those behind them. *)
IsKeptOut(c) == \E k \in Keepers, x \in Callers :
    Holds(k) /\ (x = c \/ IsWaiting(x)) /\ ~Together(Wants[k].mode, Wants[x].mode)

WaitersAreServed == \A c \in Callers : IsWaiting(c) ~> ~IsWaiting(c) \/ IsKeptOut(c)

(* What a crashed process left is found when somebody needs the lock; so is what landed late. *)
Excused(id) == id \in db.strays \/ ~IsUp(id[1]) \/ ~Alive(db, SessionOf(id))
NoTrace ==
    /\ \A e \in Range(db.item.queue) : Excused(e.block)
    /\ \A s \in SessionIds : Alive(db, s) => ~IsUp(s[1]) \/ me[s[1]].s = s[2] \/ s \in db.strays
NothingIsLeft == <>[]((\A c \in Callers : ~IsWaiting(c) /\ ~Holds(c)) => NoTrace)
===============================================================================
