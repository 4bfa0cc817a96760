------------------------------ MODULE DynamoLock ------------------------------
(***************************************************************************)
(* The protocol for one lock. Item.tla says what an item means and what an *)
(* edit does to it; then come                                              *)
(*                                                                         *)
(*   1. a process: what it knows, whom it grants the lock, which edit it   *)
(*      sends next, and what an item tells it;                             *)
(*   2. the world: callers, edits and reads, sessions, notices, faults;    *)
(*   3. what we promise.                                                   *)
(*                                                                         *)
(* One step of a process is one event: it notes what the event tells, then *)
(* grants what it can, then sends its next edit, unless it is one of the   *)
(* Tardy, which do that whenever they like: to gather, or after a failure. *)
(* There is no time here: a session ends at any moment, and others may     *)
(* expire it from then on. That nobody does sooner, Sessions.tla shows.    *)
(***************************************************************************)
EXTENDS Item

CONSTANTS
    Processes,   \* numbers from 1
    Home,        \* a function: the process of each caller
    Wants,       \* a function: the mode that each caller wants
    Permits,     \* a function: how many permits there are for each caller that wants one
    Sessions,    \* a function: how many sessions each process may go through
    Most,        \* how many entries the queue may have
    Waiting,     \* how many entries of one process may wait
    Spare,       \* whether a process asks for a slot at the end of its turn, for a caller that comes back
    Stale,       \* by how many writes an eventually consistent read may be late
    Tardy,       \* processes that send an edit some time after the event that asks for it
    Slow,        \* processes for which an answer takes time
    Forgetful,   \* processes that forget a lock that they do not need
    SlowReads,   \* whether the answer of a consistent read takes time
    Faults,      \* how many edits may go wrong
    Kinds,       \* how: "late": given up by its sender, lands at any time or never; "twice": lands and is answered, and lands again
    Mortal,      \* processes that may crash
    Stoppers,    \* processes that may be stopped
    Removals,    \* how often somebody removes the item by hand
    Clearings,   \* how often DynamoDB removes the unused item
    Resizes,     \* how often an operator sets another number of permits
    Evictions,   \* how often an operator has an entry given up
    Hasty,       \* callers that do not wait
    Leavers,     \* callers that may give up waiting
    After,       \* pairs of callers of whom the second comes only when the first has come and gone
    Overstayers, \* callers that may be forced out, and may still be running
    Fencers,     \* callers that take fences
    Writers,     \* callers that write data with their release,
    Puts,        \* and so many times before
    Downgraders, \* writers that may go on as readers
    Keepers,     \* callers that keep the lock for a time if their process stops
    Holdouts,    \* callers that may never let go
    EmptyTable   \* what there is at first, usually NewTable

VARIABLES
    db,     \* the table
    me,     \* the processes
    late,   \* edits that may still land though nobody expects it
    todo,   \* callers that have not come yet
    left,   \* how much more may go wrong
    seen    \* history, read by the promises only

vars == <<db, me, late, todo, left, seen>>

Callers == DOMAIN Home

NewTable ==
    [item |-> Absent, past |-> <<>>,          \* what an eventually consistent read may still show
     alive |-> {<<p, 1>> : p \in Processes},  \* the sessions that have an item
     notices |-> {},                          \* in the sessions' items
     clock |-> 0,                             \* no tail is greater
     over |-> FALSE]                          \* whether the time is over for which a lock is kept

-------------------------------------------------------------------------------
(*                               1. A process                                *)

(* stage    valid; expired: its session's time is over, and it does not know yet; none: has no session; stopping; down
   s, made  which of its sessions, and how many numbers it has used in it
   newest   the newest item it has seen; Absent if none
   top      the greatest tail it has seen
   waiters  its callers that wait, in order
   holders  those that hold the lock: who, the number of the entry, the ticket, the mode, and how often it has put data
   own      what it knows of its entries, by their numbers
   edit     the one under way
   read     the consistent read under way
   ticket   the last one that it granted
   dead     sessions that it knows to be over *)
Started ==
    [stage |-> "valid", s |-> 1, made |-> 0, newest |-> Absent, top |-> 0, waiters |-> <<>>, holders |-> {},
     own |-> <<>>, edit |-> None, read |-> None, ticket |-> 0, dead |-> {}]
Down == [Started EXCEPT !.stage = "down", !.s = 0]

(* shown    whether some item has shown it
   used     how many of its slots are used up
   fenced   whether a fence with its number was given out, or a caller was forced out that may still think it holds the lock
   out      whether a removal of it was sent
   to       the reissues of it that were sent: the entry, how many slots of that are used, the data with it
   serves   the callers that waited when its append was sent
   data     what is to be written with its reissue or removal
   keep     whether it is to become a kept entry
   was      the earlier numbers of the same holder *)
NewOwn(callers) ==
    [shown |-> FALSE, used |-> 0, fenced |-> FALSE, out |-> FALSE, to |-> {}, serves |-> callers, data |-> None,
     keep |-> FALSE, was |-> {}]

IsValid(m) == m.stage = "valid"
Session(p, m) == <<p, m.s>>
IsOwn(p, m, i) == SessionOf(m.newest.queue[i].number) = Session(p, m)
By(m, number) == {h \in m.holders : h.number = number}
Merged(f, g) == [x \in DOMAIN f \cup DOMAIN g |-> IF x \in DOMAIN f THEN f[x] ELSE g[x]]
WithoutCaller(callers, c) == SelectSeq(callers, LAMBDA x : x # c)

(* An own entry that it knows nothing of is an orphan; so is a second copy. *)
Knows(m, i) ==
    LET number == m.newest.queue[i].number
    IN  number \in DOMAIN m.own /\ PositionOf(m.newest, number) = i
OwnAt(m, i) == m.own[m.newest.queue[i].number]

(* -- Slots for waiters -- *)

(* Its holder has asked to go on as a reader. *)
IsTurning(m, i) == \E h \in By(m, m.newest.queue[i].number) : h.mode = "R" /\ m.newest.queue[i].mode = "W"

OfferAt(m, i) ==
    LET entry == m.newest.queue[i]
        usable == Knows(m, i) /\ ~OwnAt(m, i).out /\ ~OwnAt(m, i).keep /\ ~IsTurning(m, i)
    IN  [place |-> i, mode |-> entry.mode, free |-> IF usable THEN entry.slots - OwnAt(m, i).used ELSE 0,
         serves |-> IF usable THEN OwnAt(m, i).serves ELSE {}, holds |-> HoldsAt(m.newest, i)]

(* Only until some item has shown it. *)
OfferUnderWay(m, entry) ==
    LET isAwaited == entry.number \in DOMAIN m.own /\ ~m.own[entry.number].shown
        serves == IF isAwaited THEN m.own[entry.number].serves ELSE {}
    IN  [place |-> 0, mode |-> entry.mode, free |-> IF isAwaited THEN entry.slots ELSE 0,
         serves |-> serves, holds |-> serves \subseteq Hasty]

Offers(m) ==
    [i \in DOMAIN m.newest.queue |-> OfferAt(m, i)]
    \o IF m.edit = None THEN <<>>
       ELSE [k \in DOMAIN m.edit.e.append |-> OfferUnderWay(m, m.edit.e.append[k])]

(* An exclusive slot serves whoever is next, a shared one only those who had come before its append was sent. *)
Fits(c, offer) ==
    /\ offer.mode = Wants[c] /\ offer.free > 0
    /\ offer.mode = "R" => c \in offer.serves
    /\ c \in Hasty => offer.holds

(* For each waiter, in order, the offer that it is to have; 0 for none. *)
RECURSIVE Assigned(_, _)
Assigned(waiters, offers) ==
    IF waiters = <<>> THEN <<>>
    ELSE LET fitting == {k \in DOMAIN offers : Fits(Head(waiters), offers[k])}
             k == IF fitting = {} THEN 0 ELSE Min(fitting)
         IN  <<k>> \o Assigned(Tail(waiters), IF k = 0 THEN offers ELSE [offers EXCEPT ![k].free = @ - 1])

Assignment(m) == Assigned(m.waiters, Offers(m))

(* -- Grants -- *)

(* A former holder may still write by it, or a reissue of it, or data with one, may still land. *)
IsSettled(own) == ~own.fenced /\ own.to = {} /\ own.data = None

(* The run is used in order and never backwards: a writer waits for all of it that comes before. *)
MayServe(m, i) ==
    /\ HoldsAt(m.newest, i)
    /\ IsSettled(OwnAt(m, i))
    /\ \A h \in m.holders : h.mode = m.newest.queue[i].mode /\ h.mode # "W"
    /\ m.newest.queue[i].mode = "W" => \A j \in 1 .. i - 1 : Knows(m, j) => IsSettled(OwnAt(m, j))

Granted(m, k, i) ==
    LET number == m.newest.queue[i].number
        no == Max({Ticket(m.newest, i, m.own[number].used + 1), m.ticket + 1})
        holder == [who |-> m.waiters[k], number |-> number, no |-> no, mode |-> m.newest.queue[i].mode, puts |-> 0]
    IN  [m EXCEPT !.waiters = WithoutCaller(@, m.waiters[k]), !.holders = @ \cup {holder},
                  !.own[number].used = @ + 1, !.ticket = no]

RECURSIVE GrantAll(_)
GrantAll(m) ==
    LET assigned == IF IsValid(m) THEN Assignment(m) ELSE <<>>
        ready == {k \in DOMAIN assigned : assigned[k] \in DOMAIN m.newest.queue /\ MayServe(m, assigned[k])}
    IN  IF ready = {} THEN m ELSE GrantAll(Granted(m, Min(ready), assigned[Min(ready)]))

(* -- The next write -- *)

IsDead(m, entry) == SessionOf(entry.number) \in m.dead
IsOver(over, entry) == entry.mode = "kept" /\ over

(* Own entries that nobody needs, and, for somebody who waits, the dead. A spare slot waits for its turn. *)
ToTakeOut(p, m, taken, over) ==
    LET isSpare(i) == Spare /\ OwnAt(m, i).serves = {} /\ ~OwnAt(m, i).out /\ ~HoldsAt(m.newest, i)
        isUnwanted(i) == ~Knows(m, i) \/ (~isSpare(i) /\ By(m, m.newest.queue[i].number) = {} /\ i \notin taken /\ ~OwnAt(m, i).keep)
        isDead(i) == IsDead(m, m.newest.queue[i]) \/ IsOver(over, m.newest.queue[i])
    IN  {i \in DOMAIN m.newest.queue : IF IsOwn(p, m, i) THEN isUnwanted(i) ELSE m.waiters # <<>> /\ isDead(i)}

(* Reissues that may still land are sent again: until they have, nobody can be served. *)
ToReissue(p, m, out) ==
    {i \in DOMAIN m.newest.queue :
        /\ IsOwn(p, m, i) /\ Knows(m, i) /\ i \notin out
        /\ \/ IsTurning(m, i)
           \/ OwnAt(m, i).to # {}
           \/ OwnAt(m, i).data # None
           \/ OwnAt(m, i).keep
           \/ OwnAt(m, i).fenced /\ By(m, m.newest.queue[i].number) = {}}

(* The unused slots, and those of its present holders. A number that was sent for the same is used again. *)
Reissue(p, m, i) ==
    LET entry == m.newest.queue[i]
        own == OwnAt(m, i)
        present == Cardinality(By(m, entry.number))
        unused == IF IsTurning(m, i) THEN 0 ELSE entry.slots - own.used
        to == IF own.keep THEN Entry(<<0, p, m.s>>, "kept", 1)
              ELSE Entry(<<p, m.s, m.made + 1>>, IF IsTurning(m, i) THEN "R" ELSE entry.mode, unused + present)
        new == [entry |-> to, used |-> present, data |-> own.data]
        fitting == {x \in own.to : [x EXCEPT !.entry.number = to.number] = new}
    IN  IF fitting = {} THEN new ELSE CHOOSE x \in fitting : TRUE

(* A permit, and a writer that may become a reader, has an entry for itself. *)
IsSingle(c) == Wants[c] = "P" \/ c \in Downgraders

RECURSIVE Groups(_)
Groups(callers) ==
    IF callers = <<>> THEN <<>>
    ELSE LET c == Head(callers)
             rest == Groups(Tail(callers))
         IN  IF rest # <<>> /\ ~IsSingle(c) /\ ~IsSingle(Head(Head(rest))) /\ Wants[c] = Wants[Head(Head(rest))]
             THEN <<<<c>> \o Head(rest)>> \o Tail(rest)
             ELSE <<<<c>>>> \o rest

RECURSIVE WithoutSlot(_, _)
WithoutSlot(waiters, assigned) ==
    IF waiters = <<>> THEN <<>>
    ELSE (IF Head(assigned) = 0 THEN <<Head(waiters)>> ELSE <<>>) \o WithoutSlot(Tail(waiters), Tail(assigned))

(* How long the queue may be for a caller that does not wait. *)
IfFree(m, c) ==
    LET joins == Wants[c] # "W" /\ \A entry \in Range(m.newest.queue) : entry.mode = Wants[c]
    IN  IF ~joins THEN 1 ELSE IF Wants[c] = "R" THEN Len(m.newest.queue) + 1 ELSE Permits[c]

(* The only place that decides on a write. *)
NextWrite(p, m, clock, over) ==
    LET queue == m.newest.queue
        assigned == Assignment(m)
        missing == WithoutSlot(m.waiters, assigned)
        out == ToTakeOut(p, m, Range(assigned), over)
        again == ToReissue(p, m, out)
        place == Min(again)
        put == IF again = {} THEN <<>>
               ELSE [i \in {place} |-> [from |-> queue[i], to |-> Reissue(p, m, i).entry]]
        data == {OwnAt(m, i).data : i \in {j \in out : IsOwn(p, m, j) /\ Knows(m, j)} \cup DOMAIN put} \ {None}
        made == m.made + (IF again # {} /\ put[place].to.number = <<p, m.s, m.made + 1>> THEN 1 ELSE 0)
        waiting == {i \in Range(assigned) \cap DOMAIN queue : ~HoldsAt(m.newest, i)}
        groups == Groups(SelectSeq(missing, LAMBDA c : c \notin Hasty))
        room == Min({Most - Len(queue) + Cardinality(out), Waiting - Cardinality(waiting), Len(groups)})
        others == \E i \in DOMAIN queue : ~IsOwn(p, m, i)
        entries == [k \in 1 .. Max({0, room}) |-> Entry(<<p, m.s, made + k>>, Wants[groups[k][1]], Len(groups[k]))]
        comesBack == /\ Spare /\ others /\ m.waiters = <<>> /\ Len(queue) - Cardinality(out) < Most
                     /\ \E i \in out : IsOwn(p, m, i) /\ Knows(m, i) /\ OwnAt(m, i).used > 0
        append == IF comesBack THEN <<Entry(<<p, m.s, made + 1>>, "W", 1)>> ELSE entries
        permits == {Permits[groups[k][1]] : k \in {x \in DOMAIN entries : entries[x].mode = "P"}}
        hasty == SelectSeq(missing, LAMBDA c : c \in Hasty)
        usual == [NoEdit EXCEPT !.out = [i \in out |-> queue[i]], !.put = put, !.append = append, !.bound = Most,
                                !.exists = m.newest.tail > 0, !.base = Max({clock, m.top}) + 1,
                                !.permits = Max({0} \cup permits),
                                !.data = IF data = {} THEN None ELSE CHOOSE x \in data : TRUE]
        try == [usual EXCEPT !.append = <<Entry(<<p, m.s, m.made + 1>>, Wants[hasty[1]], 1)>>,
                             !.bound = IfFree(m, hasty[1]),
                             !.permits = Permits[hasty[1]]]
    IN  IF out # {} \/ again # {} \/ append # <<>> THEN usual
        ELSE IF hasty # <<>> THEN try ELSE NoEdit

(* It notes what it sends. *)
Sent(p, m, e) ==
    LET appended == {e.append[k].number : k \in DOMAIN e.append}
        tries == e.bound < Most \/ (e.out = <<>> /\ e.put = <<>> /\ e.append # <<>> /\ \A c \in Range(m.waiters) : c \in Hasty)
        serves == IF tries THEN Range(m.waiters) \cap Hasty ELSE Range(m.waiters)
        outs == {i \in DOMAIN e.out : IsOwn(p, m, i) /\ Knows(m, i)}
        own == Merged([n \in appended |-> NewOwn(serves)], m.own)
        noted == [n \in DOMAIN own |->
            [own[n] EXCEPT !.out = @ \/ \E i \in outs : e.out[i].number = n,
                           !.to = @ \cup {Reissue(p, m, i) : i \in {j \in DOMAIN e.put : e.put[j].from.number = n}}]]
        numbers == {0} \cup {n[3] : n \in appended} \cup {e.put[i].to.number[3] : i \in {j \in DOMAIN e.put : e.put[j].to.mode # "kept"}}
    IN  [m EXCEPT !.own = noted, !.made = Max({@} \cup numbers),
                  !.edit = [e |-> e, at |-> "sent", after |-> TRUE, item |-> Absent, tries |-> IF tries THEN serves ELSE {}]]

(* -- What an item tells -- *)

(* Not only than the newest: what was there before somebody removed the item may still be shown. *)
Newer(m, item, isLater) == item.tail > m.top \/ (isLater /\ item # m.newest)

(* An entry goes under another number where an item shows that; what an item has shown and the newest does not, is gone. What
   none has shown may still land. *)
See(p, m, item) ==
    LET shown(n) == {x \in m.own[n].to : Stands(item, x.entry.number)}
        now(n) == IF shown(n) # {} THEN (CHOOSE x \in shown(n) : TRUE).entry.number ELSE n
        stays(n) == SessionOf(now(n)) = Session(p, m) /\ (Stands(item, now(n)) \/ ~m.own[n].shown)
        reissued(n) ==
            LET x == CHOOSE x \in shown(n) : TRUE
            IN  [NewOwn(m.own[n].serves) EXCEPT !.shown = TRUE, !.used = x.used,
                     !.data = IF m.own[n].data = x.data THEN None ELSE m.own[n].data,
                     !.keep = m.own[n].keep,
                     !.was = IF By(m, n) # {} THEN m.own[n].was \cup {n} ELSE {}]
        state(n) == IF now(n) = n THEN [m.own[n] EXCEPT !.shown = @ \/ Stands(item, n)] ELSE reissued(n)
        staying == {n \in DOMAIN m.own : stays(n)}
        own == [x \in {now(n) : n \in staying} |-> state(CHOOSE n \in staying : now(n) = x)]
    IN  [m EXCEPT !.newest = item, !.top = Max({@, item.tail}), !.own = own,
                  !.holders = {[h EXCEPT !.number = now(h.number)] : h \in {x \in @ : x.number \in staying}},
                  !.edit = IF @ = None THEN None ELSE [@ EXCEPT !.after = FALSE],
                  !.read = IF @ = None THEN None ELSE [@ EXCEPT !.after = FALSE]]

Seen(p, m, item, isLater) == IF Newer(m, item, isLater) THEN See(p, m, item) ELSE m

(* Another number of permits is set than those say who have no slot yet. *)
WithoutHopeless(m, item) ==
    LET assigned == Assignment(m)
        hopeless == {m.waiters[k] : k \in {x \in DOMAIN assigned :
                        assigned[x] = 0 /\ Wants[m.waiters[x]] = "P" /\ item.permits \notin {0, Permits[m.waiters[x]]}}}
    IN  [m EXCEPT !.waiters = SelectSeq(@, LAMBDA c : c \notin hopeless)]

(* An append that was answered has landed, or never will. One that does not wait hears of it, unless the dead are in its way.
   Whoever is refused hears of it though the answer is no newer. *)
EditAnswered(p, m) ==
    LET c == m.edit
        m1 == [m EXCEPT !.own = [n \in {x \in DOMAIN @ : (\A k \in DOMAIN c.e.append : c.e.append[k].number # x) \/ Stands(c.item, x)} |-> @[n]]]
        m2 == [Seen(p, m1, c.item, c.after) EXCEPT !.edit = None]
        m3 == WithoutHopeless(GrantAll(m2), c.item)
        hindered == \E entry \in Range(m3.newest.queue) : IsDead(m3, entry)
    IN  IF hindered THEN m3 ELSE [m3 EXCEPT !.waiters = SelectSeq(@, LAMBDA x : x \notin c.tries)]

(* -- Its end -- *)

(* What was held is lost; callers that wait go on under the next session. *)
Lost(p, m) ==
    [m EXCEPT !.stage = "none", !.holders = {}, !.own = <<>>, !.edit = None, !.read = None, !.made = 0,
              !.dead = @ \cup {Session(p, m)}]

-------------------------------------------------------------------------------
(*                               2. The world                                *)

Init ==
    /\ db = EmptyTable
    /\ me = [p \in Processes |-> Started]
    /\ late = {}
    /\ todo = Callers
    /\ left = [faults |-> Faults, removals |-> Removals, clearings |-> Clearings, resizes |-> Resizes, evictions |-> Evictions]
    /\ seen = [ticket |-> 0, alone |-> 0, fences |-> {}, widest |-> 0, written |-> {}, landedLate |-> {}, evicted |-> {}, putOut |-> {},
               slots |-> [p \in Processes |-> 0], served |-> [p \in Processes |-> 0],
               writers |-> [c \in {x \in Callers : Wants[x] = "R"} |-> {}]]

NewGrants(p, m) == {h \in m.holders : \A x \in me[p].holders : x.who # h.who}

Writing(p, m, d) ==
    LET e == IF m.stage \in {"valid", "stopping"} /\ m.edit = None THEN NextWrite(p, m, d.clock, d.over) ELSE NoEdit
    IN  IF e = NoEdit THEN m ELSE Sent(p, m, e)

(* A process has noted what the event tells, the table and the history are as given. *)
Step(p, m, d, history) ==
    LET n == GrantAll(m)
        new == NewGrants(p, n)
    IN  /\ me' = [me EXCEPT ![p] = IF p \in Tardy THEN n ELSE Writing(p, n, d)]
        /\ db' = d
        /\ seen' = [history EXCEPT !.served[p] = @ + Cardinality(new),
                                   !.ticket = Max({@} \cup {h.no : h \in new}),
                                   !.alone = Max({@} \cup {h.no : h \in {x \in new : x.mode = "W"}})]

IsWaiting(c) == c \in Range(me[Home[c]].waiters)
Holds(c) == \E h \in me[Home[c]].holders : h.who = c
HoldOf(c) == CHOOSE h \in me[Home[c]].holders : h.who = c
Others(holders, c) == {h \in holders : h.who # c}

(* -- Callers -- *)

WritersIn(queue) == {queue[i].number : i \in {j \in DOMAIN queue : queue[j].mode = "W"}}

Arrive(c) ==
    /\ c \in todo /\ me[Home[c]].stage \in {"valid", "expired", "none"}
    /\ \A x \in Callers : <<x, c>> \in After => x \notin todo /\ ~IsWaiting(x) /\ ~Holds(x)
    /\ todo' = todo \ {c}
    /\ Step(Home[c], [me[Home[c]] EXCEPT !.waiters = Append(@, c)], db,
            [seen EXCEPT !.writers = [x \in DOMAIN @ |-> IF x = c THEN WritersIn(db.item.queue) ELSE @[x]]])
    /\ UNCHANGED <<late, left>>

LetGo(c) ==
    LET h == HoldOf(c)
        m == [me[Home[c]] EXCEPT !.holders = Others(@, c)]
    IN  /\ Holds(c)
        /\ Step(Home[c], IF c \in Writers /\ h.mode = "W"
                         THEN [m EXCEPT !.own[h.number].data = <<h.no, Puts + 1>>, !.own[h.number].fenced = TRUE] ELSE m,
                db, seen)
        /\ UNCHANGED <<late, todo, left>>

GiveUp(c) ==
    /\ c \in Leavers /\ IsWaiting(c)
    /\ Step(Home[c], [me[Home[c]] EXCEPT !.waiters = WithoutCaller(@, c)], db, seen)
    /\ UNCHANGED <<late, todo, left>>

(* A fence is the entry: DynamoDB takes a fenced write if the queue has it. *)
Fence(c) ==
    LET m == me[Home[c]]
        h == HoldOf(c)
    IN  [who |-> c, no |-> h.no, entry |-> m.newest.queue[PositionOf(m.newest, h.number)]]

TakeFence(c) ==
    /\ c \in Fencers /\ Holds(c) /\ HoldOf(c).mode = "W"
    /\ Step(Home[c], [me[Home[c]] EXCEPT !.own[HoldOf(c).number].fenced = TRUE], db,
            [seen EXCEPT !.fences = @ \cup {Fence(c)}])
    /\ UNCHANGED <<late, todo, left>>

(* It may not have heard, and take a fence then. Readers have none. *)
ForcedOut(m, h) ==
    [m EXCEPT !.holders = @ \ {h}, !.own[h.number].fenced = @ \/ h.mode # "R"]

MaxHoldEnds(c) ==
    /\ c \in Overstayers /\ Holds(c)
    /\ Step(Home[c], ForcedOut(me[Home[c]], HoldOf(c)), db,
            [seen EXCEPT !.fences = IF HoldOf(c).mode = "W" THEN @ \cup {Fence(c)} ELSE @])
    /\ UNCHANGED <<late, todo, left>>

PutData(c) ==
    LET h == HoldOf(c)
    IN  /\ c \in Writers /\ Holds(c) /\ h.mode = "W" /\ h.puts < Puts
        /\ Step(Home[c], [me[Home[c]] EXCEPT !.holders = Others(@, c) \cup {[h EXCEPT !.puts = @ + 1]},
                                             !.own[h.number].data = <<h.no, h.puts + 1>>], db, seen)
        /\ UNCHANGED <<late, todo, left>>

(* From the call on it counts as a reader, since others read from the moment at which the write lands. *)
Downgrade(c) ==
    LET h == HoldOf(c)
    IN  /\ c \in Downgraders /\ Holds(c) /\ h.mode = "W"
        /\ Step(Home[c], [me[Home[c]] EXCEPT !.holders = Others(@, c) \cup {[h EXCEPT !.mode = "R"]}], db, seen)
        /\ UNCHANGED <<late, todo, left>>

(* -- Writes -- *)

Put(d, item) ==
    [d EXCEPT !.item = item, !.clock = Max({@, item.tail}),
              !.past = SubSeq(<<d.item>> \o @, 1, Min({Stale, Len(@) + 1}))]

Landed(d, e) == IF Applies(d.item, e) THEN Put(d, Applied(d.item, e)) ELSE d

(* Those that may still land: a number does not come back, unless its append lands twice. *)
Still(edits, item) ==
    {e \in edits : "twice" \in Kinds \/
        \A x \in Range(e.out) \cup {e.put[i].from : i \in DOMAIN e.put} : x \in Range(item.queue)}

(* History of a landing. *)
Noting(d, e) ==
    [seen EXCEPT !.widest = Max({@, d.item.permits}),
                 !.slots = [p \in Processes |-> @[p] + SlotsOf(SelectSeq(e.append, LAMBDA x : d.item # db.item /\ x.number[1] = p))],
                 !.written = IF d.item # db.item /\ e.data # None THEN @ \cup {e.data} ELSE @]

Write(p) ==
    /\ me' = [me EXCEPT ![p] = Writing(p, @, db)]
    /\ me' # me
    /\ UNCHANGED <<db, late, todo, left, seen>>

Land(p) ==
    LET c == me[p].edit
        d == Landed(db, c.e)
        m == [me[p] EXCEPT !.edit.at = "answered", !.edit.item = d.item]
    IN  /\ c # None /\ c.at = "sent"
        /\ IF p \in Slow
           THEN me' = [me EXCEPT ![p] = m] /\ db' = d /\ seen' = Noting(d, c.e)
           ELSE Step(p, EditAnswered(p, m), d, Noting(d, c.e))
        /\ \/ late' = Still(late, d.item) /\ UNCHANGED left
           \/ /\ left.faults > 0 /\ "twice" \in Kinds
              /\ late' = late \cup {c.e} /\ left' = [left EXCEPT !.faults = @ - 1]
        /\ UNCHANGED todo

Hear(p) ==
    /\ me[p].edit # None /\ me[p].edit.at = "answered"
    /\ Step(p, EditAnswered(p, me[p]), db, seen)
    /\ UNCHANGED <<late, todo, left>>

(* It is given up. What was under way may land: so this is a lost answer, too. *)
Fail(p) ==
    /\ me[p].edit # None /\ me[p].edit.at = "sent"
    /\ left.faults > 0 /\ "late" \in Kinds
    /\ left' = [left EXCEPT !.faults = @ - 1]
    /\ late' = Still(late \cup {me[p].edit.e}, db.item)
    /\ Step(p, [me[p] EXCEPT !.edit = None], db, seen)
    /\ UNCHANGED todo

LandLate ==
    \E e \in late :
        /\ db' = Landed(db, e)
        /\ late' = Still(late \ {e}, db'.item)
        /\ seen' = [Noting(db', e) EXCEPT !.landedLate = @ \cup {e.append[k].number : k \in DOMAIN e.append}]
        /\ UNCHANGED <<me, todo, left>>

(* -- Reads -- *)

(* Somebody waits, or something may still land, or a spare slot waits for its turn. *)
MayRead(p) ==
    /\ IsValid(me[p])
    /\ \/ me[p].waiters # <<>>
       \/ \E n \in DOMAIN me[p].own : ~me[p].own[n].shown \/ me[p].own[n].serves = {}

CanRead(p) ==
    me[p].read # None \/ (MayRead(p) /\ IF SlowReads THEN db.item # me[p].newest ELSE Newer(me[p], db.item, FALSE))

Look(p) ==
    /\ MayRead(p) /\ ~SlowReads
    /\ Newer(me[p], db.item, FALSE)
    /\ Step(p, Seen(p, me[p], db.item, FALSE), db, seen)
    /\ UNCHANGED <<late, todo, left>>

LookBack(p) ==
    /\ MayRead(p)
    /\ \E i \in DOMAIN db.past : Newer(me[p], db.past[i], FALSE) /\ Step(p, Seen(p, me[p], db.past[i], FALSE), db, seen)
    /\ UNCHANGED <<late, todo, left>>

(* A consistent one is heard of later. *)
AskForItem(p) ==
    /\ SlowReads /\ MayRead(p) /\ me[p].read = None /\ db.item # me[p].newest
    /\ me' = [me EXCEPT ![p].read = [item |-> db.item, after |-> TRUE]]
    /\ UNCHANGED <<db, late, todo, left, seen>>

HearOfItem(p) ==
    LET r == me[p].read
    IN  /\ r # None
        /\ Step(p, [Seen(p, me[p], r.item, r.after) EXCEPT !.read = None], db, seen)
        /\ UNCHANGED <<late, todo, left>>

(* Nobody wants the lock any more: so it is forgotten, and what was known of it. *)
Forget(p) ==
    LET m == me[p]
    IN  /\ p \in Forgetful /\ m.stage \in {"valid", "none"} /\ m.waiters = <<>> /\ m.holders = {} /\ m.edit = None
        /\ \A i \in DOMAIN m.newest.queue : ~IsOwn(p, m, i)
        /\ me' = [me EXCEPT ![p].newest = Absent, ![p].top = 0, ![p].own = <<>>, ![p].read = None, ![p].ticket = 0, ![p].dead = {}]
        /\ me' # me
        /\ UNCHANGED <<db, late, todo, left, seen>>

(* -- Sessions -- *)

InFlight(m) == IF m.edit # None /\ m.edit.at = "sent" THEN {m.edit.e} ELSE {}
WithoutSession(d, s) ==
    [d EXCEPT !.alive = @ \ {s}, !.notices = {n \in @ : SessionOf(n.number) # s}]

TimeRunsOut(p) ==
    /\ IsValid(me[p]) /\ me[p].s < Sessions[p]
    /\ me' = [me EXCEPT ![p].stage = "expired"]
    /\ UNCHANGED <<db, late, todo, left, seen>>

NoticeLoss(p) ==
    /\ me[p].stage = "expired"
    /\ Step(p, Lost(p, me[p]), WithoutSession(db, Session(p, me[p])), seen)
    /\ late' = late \cup InFlight(me[p])
    /\ UNCHANGED <<todo, left>>

CanStart(p) == me[p].stage = "none" /\ me[p].waiters # <<>> /\ me[p].s < Sessions[p]
StartSession(p) ==
    /\ CanStart(p)
    /\ Step(p, [me[p] EXCEPT !.stage = "valid", !.s = @ + 1], [db EXCEPT !.alive = @ \cup {<<p, me[p].s + 1>>}], seen)
    /\ UNCHANGED <<late, todo, left>>

Crash(p) ==
    /\ p \in Mortal /\ me[p].stage # "down"
    /\ me' = [me EXCEPT ![p] = Down]
    /\ late' = late \cup InFlight(me[p])
    /\ UNCHANGED <<db, todo, left, seen>>

(* Only a session that is over for its owner; see Sessions.tla. *)
MayExpire(s) == ~(me[s[1]].s = s[2] /\ me[s[1]].stage \in {"valid", "stopping"})

Overdue(p) ==
    {s \in {SessionOf(entry.number) : entry \in {x \in Range(me[p].newest.queue) : x.mode # "kept"}} \ me[p].dead :
        IsValid(me[p]) /\ me[p].waiters # <<>> /\ MayExpire(s)}
Expire(p) ==
    /\ \E s \in Overdue(p) : Step(p, [me[p] EXCEPT !.dead = @ \cup {s}], WithoutSession(db, s), seen)
    /\ UNCHANGED <<late, todo, left>>

(* Holders let go, or keep the lock for a time. *)
Stop(p) ==
    LET m == me[p]
        kept == {h.number : h \in {x \in m.holders : x.who \in Keepers}}
    IN  /\ p \in Stoppers /\ IsValid(m)
        /\ Step(p, [m EXCEPT !.stage = "stopping", !.waiters = <<>>, !.holders = {},
                             !.own = [n \in DOMAIN @ |-> [@[n] EXCEPT !.keep = n \in kept]]], db, seen)
        /\ UNCHANGED <<late, todo, left>>

CanEnd(p) == me[p].stage = "stopping" /\ me[p].edit = None /\ \A i \in DOMAIN me[p].newest.queue : ~IsOwn(p, me[p], i)
End(p) ==
    /\ CanEnd(p)
    /\ me' = [me EXCEPT ![p] = Down]
    /\ db' = WithoutSession(db, Session(p, me[p]))
    /\ UNCHANGED <<late, todo, left, seen>>

CanEndKept == ~db.over /\ \E entry \in Range(db.item.queue) : entry.mode = "kept"
KeptTimeEnds ==
    /\ CanEndKept
    /\ db' = [db EXCEPT !.over = TRUE]
    /\ UNCHANGED <<me, late, todo, left, seen>>

(* -- Notices -- *)

(* All before it hold the lock, so it may be what keeps others from it. *)
IsInTheWay(item, i) == \A j \in 1 .. i - 1 : HoldsAt(item, j)

InTheWay(p) ==
    {[number |-> me[p].newest.queue[i].number, what |-> "is it yours"] : i \in
        {j \in DOMAIN me[p].newest.queue :
            /\ IsValid(me[p]) /\ me[p].waiters # <<>>
            /\ IsInTheWay(me[p].newest, j) /\ ~IsOwn(p, me[p], j)
            /\ SessionOf(me[p].newest.queue[j].number) \in db.alive}}
AskOwners(p) ==
    /\ db' = [db EXCEPT !.notices = @ \cup InTheWay(p)]
    /\ db' # db
    /\ UNCHANGED <<me, late, todo, left, seen>>

Evict ==
    /\ left.evictions > 0
    /\ \E number \in {entry.number : entry \in Range(db.item.queue)} :
        /\ SessionOf(number) \in db.alive
        /\ db' = [db EXCEPT !.notices = @ \cup {[number |-> number, what |-> "give it up"]}]
        /\ seen' = [seen EXCEPT !.evicted = @ \cup {[number |-> number, who |-> h.who] : h \in By(me[number[1]], number)}]
    /\ left' = [left EXCEPT !.evictions = @ - 1]
    /\ UNCHANGED <<me, late, todo>>

(* A number that was reissued for the same holder means the new one. An entry that nobody has used is given up with those that it
   would serve; of one by which the lock was had, who has it goes. *)
GivenUp(m, number) ==
    LET meant == {n \in DOMAIN m.own : n = number \/ number \in m.own[n].was}
        n == CHOOSE n \in meant : TRUE
        i == PositionOf(m.newest, n)
        assigned == Assignment(m)
    IN  IF meant = {} THEN m
        ELSE IF ~Stands(m.newest, n) THEN m
        ELSE IF By(m, n) # {} THEN [m EXCEPT !.holders = @ \ By(m, n), !.own[n].fenced = @ \/ m.newest.queue[i].mode # "R"]
        ELSE IF m.own[n].used > 0 THEN m
        ELSE [m EXCEPT !.waiters = SelectSeq(@, LAMBDA c : \A k \in DOMAIN @ : @[k] = c => assigned[k] # i)]

RECURSIVE AllGivenUp(_, _)
AllGivenUp(m, numbers) ==
    IF numbers = {} THEN m
    ELSE LET n == CHOOSE n \in numbers : TRUE IN AllGivenUp(GivenUp(m, n), numbers \ {n})

(* With the answer to a heartbeat: it reads the item and sees what it knows nothing of. If the next one is lost, it obeys twice. *)
Notices(p) == {n \in db.notices : IsValid(me[p]) /\ SessionOf(n.number) = Session(p, me[p])}
Obey(p) ==
    LET m == me[p]
        notices == Notices(p)
        evictions == {x.number : x \in {y \in notices : y.what = "give it up"}}
        item == Seen(p, m, db.item, TRUE)
        n == AllGivenUp(item, evictions)
        history == [seen EXCEPT !.putOut = @ \cup {[number |-> x, who |-> h.who] : x \in evictions, h \in item.holders \ n.holders}]
    IN  /\ notices # {}
        /\ \/ Step(p, n, [db EXCEPT !.notices = @ \ notices], history) /\ UNCHANGED left
           \/ left.faults > 0 /\ left' = [left EXCEPT !.faults = @ - 1] /\ Step(p, n, db, history)
        /\ UNCHANGED <<late, todo>>

(* -- By hand, and by DynamoDB -- *)

(* What is under way and would make the item anew, with an older clock, is left out: tokens are not promised then, and a process
   that hears of the former item takes its entry in the new one for gone. *)
MakesItem == \E e \in late \cup UNION {InFlight(me[p]) : p \in Processes} : ~e.exists

Remove ==
    /\ left.removals > 0 /\ db.item.tail > 0 /\ ~MakesItem
    /\ left' = [left EXCEPT !.removals = @ - 1]
    /\ db' = Put(db, Absent)
    /\ UNCHANGED <<me, late, todo, seen>>

(* The TTL is days: nothing is under way that long. So this is more than can be, but for what would make the item. *)
Clear ==
    /\ left.clearings > 0 /\ db.item.tail > 0 /\ db.item.queue = <<>>
    /\ ~MakesItem
    /\ left' = [left EXCEPT !.clearings = @ - 1]
    /\ db' = [Put(db, Absent) EXCEPT !.past = <<>>]
    /\ UNCHANGED <<me, late, todo, seen>>

Resize(n) ==
    /\ left.resizes > 0 /\ db.item.permits \notin {0, n}
    /\ left' = [left EXCEPT !.resizes = @ - 1]
    /\ db' = Put(db, [db.item EXCEPT !.tail = @ + 1, !.permits = n])
    /\ seen' = [seen EXCEPT !.widest = Max({@, n})]
    /\ UNCHANGED <<me, late, todo>>

-------------------------------------------------------------------------------

Next ==
    \/ \E c \in Callers : Arrive(c) \/ LetGo(c) \/ GiveUp(c) \/ TakeFence(c) \/ MaxHoldEnds(c) \/ PutData(c) \/ Downgrade(c)
    \/ \E p \in Processes :
        \/ Write(p) \/ Land(p) \/ Hear(p) \/ Fail(p)
        \/ Look(p) \/ LookBack(p) \/ AskForItem(p) \/ HearOfItem(p) \/ Forget(p)
        \/ TimeRunsOut(p) \/ NoticeLoss(p) \/ StartSession(p) \/ Crash(p) \/ Expire(p) \/ Stop(p) \/ End(p)
        \/ AskOwners(p) \/ Obey(p)
    \/ LandLate \/ Evict \/ Remove \/ Clear \/ KeptTimeEnds \/ \E n \in 1 .. 3 : Resize(n)

(* Everybody does what there is to do, and callers let go. Arrivals, faults and late landings need not happen. It is said of
   what can be seen to change: TLC would take too long for what is enabled. *)
EditMoves(p) == me'[p].edit # me[p].edit
ReadMoves(p) == <<me'[p].newest, me'[p].read>> # <<me[p].newest, me[p].read>>
FindsDead(p) == me'[p].dead # me[p].dead
NoticesCome == db'.notices \ db.notices # {}
NoticesGo == db.notices \ db'.notices # {}
Fairness ==
    /\ \A p \in Processes :
        /\ []<>(me[p].edit = None /\ Writing(p, me[p], db) = me[p]) \/ []<><<EditMoves(p)>>_vars
        /\ []<>~CanRead(p) \/ []<><<ReadMoves(p)>>_vars
        /\ []<>(Overdue(p) = {}) \/ []<><<FindsDead(p)>>_vars
        /\ []<>(InTheWay(p) \subseteq db.notices) \/ []<><<NoticesCome>>_vars
        /\ []<>(Notices(p) = {}) \/ []<><<NoticesGo>>_vars
        /\ []<>(me[p].stage # "expired" /\ ~CanStart(p) /\ ~CanEnd(p))
    /\ []<>~CanEndKept
    /\ \A c \in Callers \ Holdouts : []<>~Holds(c)

Safely == Init /\ [][Next]_vars
Spec == Safely /\ Fairness

-------------------------------------------------------------------------------
(*                             3. What we promise                            *)

Holders == UNION {me[p].holders : p \in {x \in Processes : IsValid(me[x])}}

(* Who may hold the lock beside whom: readers, and those who have permits. *)
Together(x, y) == x = y /\ x \in {"R", "P"}
MutualExclusion == \A x, y \in Holders : x.who # y.who => Together(x.mode, y.mode)
PermitsAreBounded == Cardinality({h \in Holders : h.mode = "P"}) <= seen.widest

(* One that was granted a permit keeps it though their number is lowered. *)
ValidHandleHolds ==
    \A p \in Processes : IsValid(me[p]) => \A h \in me[p].holders :
        \E i \in DOMAIN db.item.queue :
            /\ db.item.queue[i].number \in {h.number} \cup {x.entry.number : x \in me[p].own[h.number].to}
            /\ HoldsAt([db.item EXCEPT !.permits = seen.widest], i)

(* A fenced write of one that is no longer the holder is refused. *)
FencesAreRefused ==
    \A f \in seen.fences : f.entry \in Range(db.item.queue) =>
        seen.alone = f.no /\ \A h \in Holders : h.who = f.who

(* Each caller has a slot that its process asked for. *)
NoSlotServesTwice == \A p \in Processes : seen.served[p] <= seen.slots[p]

TheQueueIsBounded == Len(db.item.queue) <= Most

New(p) == NewGrants(p, me'[p])
TicketsRise == [][\A p \in Processes : \A h \in New(p) : h.mode = "W" => h.no > seen.ticket]_vars
TailRises == [][db'.item \in {db.item, Absent} \/ db'.item.tail > db.item.tail]_vars
GrantsAreValid == [][\A p \in Processes : New(p) # {} => IsValid(me'[p])]_vars

(* What a former holder writes never lands after the next one's grant; and who hears that data is written finds it so. *)
DataIsTheLastHolders ==
    [][db'.item.data # db.item.data /\ db'.item # Absent => db'.item.data[1] = seen.alone]_vars
DataIsWritten ==
    [][\A p \in Processes : \A n \in DOMAIN me[p].own :
        LET data == me[p].own[n].data
        IN  /\ data # None /\ me'[p].s = me[p].s /\ IsValid(me'[p])
            /\ \A x \in DOMAIN me'[p].own : me'[p].own[x].data = None \/ me'[p].own[x].data[1] # data[1]
            => data \in seen'.written]_vars

(* First come, first served: who comes is behind those who are there, and nobody passes. *)
FirstComeFirstServed ==
    [][LET was(i) == IF Stands(db.item, db'.item.queue[i].number) THEN PositionOf(db.item, db'.item.queue[i].number)
                     ELSE IF i = Len(db'.item.queue) \/ \A j \in i .. Len(db'.item.queue) : ~Stands(db.item, db'.item.queue[j].number) THEN 1000
                     ELSE 0
       IN  \A i, j \in DOMAIN db'.item.queue : i < j /\ was(i) > 0 /\ was(j) > 0 => was(i) < was(j) \/ was(j) = 1000]_vars
NoReaderPassesAWriter ==
    [][\A p \in Processes : \A h \in New(p) :
        h.mode = "R" => \A entry \in Range(db'.item.queue) : entry.number \notin seen'.writers[h.who]]_vars

(* Who does not wait asks for an exclusive lock only if it is free. *)
TheHastyDoNotStandBehind ==
    [][\A p \in Processes : me[p].edit # None /\ db'.item # db.item /\ me'[p].edit # me[p].edit =>
        \A k \in DOMAIN me[p].edit.e.append :
            LET entry == me[p].edit.e.append[k]
            IN  entry.mode = "W" /\ me[p].own[entry.number].serves \subseteq Hasty => PositionOf(db'.item, entry.number) = 1]_vars

(* No answer makes a process give up an entry that stands. *)
NobodyLosesAnEntry ==
    [][\A p \in Processes : \A n \in DOMAIN me[p].own :
        LET now == {n} \cup {x.entry.number : x \in me[p].own[n].to}
        IN  /\ me'[p].s = me[p].s /\ IsValid(me'[p]) /\ me'[p].newest # Absent
            /\ \E x \in now : Stands(db'.item, x) /\ SessionOf(x) = <<p, me[p].s>>
            => now \cap DOMAIN me'[p].own # {}]_vars

(* Who has seen that the item is gone does not take what was there before for the one that is made anew. *)
TheRemovedIsNotSeenAgain ==
    [][\A p \in Processes :
        me[p].newest = Absent /\ me[p].top > 0 /\ me'[p].newest # Absent => me'[p].newest.tail > me[p].top]_vars

(* A lock that is kept is nobody's. *)
KeptIsKept ==
    [][~db.over => \A entry \in Range(db.item.queue) : entry.mode = "kept" =>
        entry \in Range(db'.item.queue) /\ \A p \in Processes : New(p) = {}]_vars

(* Who held the lock when an operator had its entry given up is out when its process has heard of it. *)
TheEvictedAreOut ==
    [][\A n \in db.notices \ db'.notices : n.what = "give it up" =>
        \A h \in me'[n.number[1]].holders : [number |-> n.number, who |-> h.who] \notin seen.evicted]_vars

(* To obey twice puts out nobody else. *)
OneIsEvicted == \A x, y \in seen.putOut : x.number = y.number => x.who = y.who

(* Only on request is the number of permits another. *)
PermitsAreAgreed ==
    [][db'.item.permits # db.item.permits => db.item.permits = 0 \/ db'.item = Absent \/ left'.resizes # left.resizes]_vars

(* -- Liveness -- *)

IsKeptOut(c) == \E k \in Holdouts, x \in Callers :
    Holds(k) /\ (x = c \/ IsWaiting(x)) /\ ~Together(HoldOf(k).mode, Wants[x])

WaitersAreServed == \A c \in Callers : IsWaiting(c) ~> ~IsWaiting(c) \/ IsKeptOut(c)

(* What a crashed process left is found when somebody needs the lock; so is what landed late. *)
IsExcused(entry) ==
    \/ entry.number \in seen.landedLate \/ entry.mode = "kept"
    \/ ~(\E p \in Processes : SessionOf(entry.number) = Session(p, me[p]) /\ IsValid(me[p]))
NothingIsLeft ==
    <>[]((\A c \in Callers : ~IsWaiting(c) /\ ~Holds(c)) => \A entry \in Range(db.item.queue) : IsExcused(entry))

(* Conditions without a tooth, and what they are for.
     a ticket is at least one more than the last    it is so anyway, while slots are used in order
     numbers of appends that may land are kept      else what lands late is an orphan, and its callers lose the better place
     a writer that may turn has an entry for itself, and a reissue as a reader's drops the unused slots
                                                    else those who share its entry lose their places, or more slots than needed stay
     W with W of the same session                   "only the first" is safe, too, and costs a write more
     a new item's tail is above all that was seen   that is so if the clock is right
     how many entries of a process may wait         so that the queue is not full of one process's *)
===============================================================================
