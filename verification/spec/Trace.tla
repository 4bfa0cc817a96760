--------------------------------- MODULE Trace ---------------------------------
(***************************************************************************)
(* Whether what the simulator wrote down is a behaviour of the protocol.   *)
(*                                                                         *)
(* A trace is a sequence of lines, and each line must be a step: a process *)
(* hears of something, grants the lock, sends an edit; an edit lands; a    *)
(* session begins, beats, is expired.                                      *)
(*                                                                         *)
(*   The table: what an edit does is said by Item's Applies and Applied,   *)
(*   and the line must show the same answer and the same item. The network *)
(*   may do with an edit what it likes: it lands at any time, never or     *)
(*   twice, and its answer may get lost.                                   *)
(*                                                                         *)
(*   The processes: what an item tells is said by DynamoLock's See, who    *)
(*   may be granted the lock, and with which ticket, by its MayServe and   *)
(*   Granted. Of an edit each part must be one that NextWrite could have   *)
(*   decided on. What a process must do, and how soon, is not asked here,  *)
(*   nor when callers end their waits.                                     *)
(*                                                                         *)
(*   The promises: at each grant the holder is alone, or beside those who  *)
(*   go with it; its entry holds the lock; its ticket is greater than      *)
(*   those before; no former holder's fence is good; its session is alive. *)
(***************************************************************************)
EXTENDS DynamoLock, TLC

CONSTANT Traces

VARIABLES
    trace,   \* which of the traces
    lines,   \* what it says
    at,      \* the next line
    past,    \* the items that there were, and the line that brought each
    last     \* of the grants so far: the greatest ticket, the greatest of one alone; the fences of those who have gone,
             \* and the numbers that a network brought twice: their fences come back with them

Line == lines[at]

(* How the lines are written. An edit and a read go by the number of the line that tells of its sending. *)
E(p, s, n, mode, slots) == Entry(<<p, s, n>>, mode, slots)
K(mode, until) == Entry(<<0, until, 0>>, IF mode = "W" THEN "kept" ELSE mode, 1)
I(tail, queue, permits, data) == [tail |-> tail, queue |-> queue, permits |-> permits, data |-> data]

Nothing == <<>>

(* The last digit of a caller says what it wants. *)
Wanted == [c \in 0 .. 100000 |-> CASE c % 10 \in {0, 3, 4, 7} -> "W" [] c % 10 \in {1, 5} -> "R" [] OTHER -> "P"]
IsAlone(c) == c % 10 \in {3, 7}

(* A process as in DynamoLock, and the line from which on what it sends shows an item at least as new as its newest: its first line
   of the moment at which it saw that item. *)
Known(m) ==
    [stage |-> "none", s |-> m.s, made |-> m.made, newest |-> Absent, top |-> 0, waiters |-> <<>>, holders |-> {}, own |-> <<>>,
     edit |-> None, read |-> None, ticket |-> 0, dead |-> {}, seen |-> 0, lease |-> m.lease, most |-> m.most]

-------------------------------------------------------------------------------
(*                               Edits are sent                              *)

IsGone(s) == s \notin DOMAIN db.alive

(* Of a session of this process that is over: its item may be there still, until it is deleted. *)
IsFormer(p, m, s) == s[1] = p /\ s[2] # m.s

(* Own entries that nobody has the lock by; of others those that nobody will release, for somebody who waits. *)
MayTakeOut(p, m, i) ==
    LET entry == m.newest.queue[i]
    IN  IF IsOwn(p, m, i) THEN ~Knows(m, i) \/ (By(m, entry.number) = {} /\ ~OwnAt(m, i).keep)
        ELSE /\ m.waiters # <<>>
             \* Only the store's clock says when a kept entry is over. A line tells milliseconds, and the end may have passed
             \* within its own.
             /\ IF entry.number[1] = 0 THEN entry.number[2] <= Line.told
                ELSE IsGone(SessionOf(entry.number)) \/ IsFormer(p, m, SessionOf(entry.number))

NewNumbers(e) == {e.append[k].number : k \in DOMAIN e.append} \cup {e.put[i].to.number : i \in DOMAIN e.put}
IsNew(p, m, number) == SessionOf(number) = Session(p, m) /\ number[3] > m.made

(* The unused slots, and those of its present holders. *)
MayReissue(p, m, i, to) ==
    LET entry == m.newest.queue[i]
        own == OwnAt(m, i)
        present == Cardinality(By(m, entry.number))
        unused == IF IsTurning(m, i) THEN 0 ELSE entry.slots - own.used
    IN  /\ IsOwn(p, m, i) /\ Knows(m, i)
        /\ IF to.number[1] = 0 THEN own.keep
           ELSE /\ ~own.out /\ IsNew(p, m, to.number) /\ HoldsAt(m.newest, i)
                /\ to.mode = IF IsTurning(m, i) THEN "R" ELSE entry.mode
                /\ to.slots \in 1 .. present + unused /\ to.slots >= present

(* With a removal or a reissue of the entry whose holder leaves it, or with a reissue for the present holder. *)
Leaves(m, i) == i \in DOMAIN m.newest.queue /\ Knows(m, i) /\ HoldsAt(m.newest, i) /\ OwnAt(m, i).data # None
MayWrite(m, e) ==
    \/ e.data = None /\ \A i \in DOMAIN e.out : ~Leaves(m, i)
    \/ \E i \in DOMAIN e.out \cup DOMAIN e.put :
        /\ i \in DOMAIN m.newest.queue /\ Knows(m, i) /\ m.newest.queue[i].mode = "W" /\ HoldsAt(m.newest, i)
        /\ OwnAt(m, i).data = e.data \/ (i \in DOMAIN e.put /\ By(m, m.newest.queue[i].number) # {})

(* All who wait here do not wait for long: so the lock is asked for only if it is free. *)
AreHasty(m) == m.waiters # <<>> /\ \A c \in Range(m.waiters) : c % 10 > 3
MostEntries(m, e) ==
    IF ~AreHasty(m) \/ e.out # <<>> \/ e.put # <<>> THEN m.most
    ELSE IF e.append[1].mode = "P" THEN Max({e.permits, Len(e.append)})
    ELSE IF e.append[1].mode = "R" /\ \A entry \in Range(m.newest.queue) : entry.mode = "R" THEN Len(m.newest.queue) + Len(e.append)
    ELSE Len(e.append)

MayAppend(p, m, e) ==
    LET numbers == NewNumbers(e)
    IN  /\ \A k \in DOMAIN e.append : IsNew(p, m, e.append[k].number) /\ (e.append[k].mode = "P" => e.append[k].slots = 1)
        /\ Cardinality(numbers) = Len(e.append) + Cardinality(DOMAIN e.put)
        /\ e.append # <<>> => e.bound <= MostEntries(m, e)
        /\ (\E k \in DOMAIN e.append : e.append[k].mode = "P") => e.permits > 0

MaySend(p, m, e) ==
    /\ m.stage \in {"valid", "stopping"}
    /\ \A i \in DOMAIN e.out : StandsAt(m.newest, i, e.out[i]) /\ MayTakeOut(p, m, i)
    /\ \A i \in DOMAIN e.put : StandsAt(m.newest, i, e.put[i].from) /\ MayReissue(p, m, i, e.put[i].to)
    /\ e.exists \/ m.newest.tail = 0
    /\ e.base > m.top
    /\ MayAppend(p, m, e)
    /\ MayWrite(m, e)

AfterSending(p, m, e) ==
    LET appended == {e.append[k].number : k \in DOMAIN e.append}
        outs == {e.out[i].number : i \in DOMAIN e.out}
        known == Merged([n \in appended |-> NewOwn(Range(m.waiters))], m.own)
        to(n) == {[entry |-> e.put[i].to, used |-> Cardinality(By(m, n)), data |-> e.data] :
                     i \in {j \in DOMAIN e.put : e.put[j].from.number = n /\ e.put[j].to.number[1] # 0}}
        kept(n) == \E i \in DOMAIN e.put : e.put[i].from.number = n /\ e.put[i].to.number[1] = 0
        counts == {n[3] : n \in NewNumbers(e)}
    IN  [m EXCEPT !.own = [n \in DOMAIN known |-> [known[n] EXCEPT !.out = @ \/ n \in outs \/ kept(n), !.to = @ \cup to(n)]],
                  !.made = Max({@} \cup counts)]

Becomes(m) == me' = [me EXCEPT ![Line.p] = m] /\ UNCHANGED <<db, past, last>>

Sends ==
    /\ MaySend(Line.p, me[Line.p], Line.edit) = TRUE   \* a value, not a choice between steps
    /\ Becomes(AfterSending(Line.p, me[Line.p], Line.edit))

-------------------------------------------------------------------------------
(*                                 They land                                 *)

ItemIs(item) ==
    /\ db' = [db EXCEPT !.item = item]
    /\ past' = IF item = db.item THEN past ELSE Append(past, [at |-> at, item |-> item])

HasLanded(sent) == \E k \in sent .. at - 1 : lines[k].event = "Land" /\ lines[k].sent = sent /\ lines[k].ok

Lands ==
    LET e == lines[Line.sent].edit
    IN  /\ Line.ok = Applies(db.item, e)
        /\ Line.item = IF Line.ok THEN Applied(db.item, e) ELSE db.item
        /\ ItemIs(Line.item)
        /\ last' = [last EXCEPT !.twice = @ \cup IF Line.ok /\ HasLanded(Line.sent) THEN NewNumbers(e) ELSE {}]
        /\ UNCHANGED me

(* By an operator, who sets the number of permits, or has a kept lock given up. *)
IsOperated ==
    LET done == Applied(db.item, Line.edit)
    IN  /\ Line.edit.append = <<>> /\ Line.edit.put = <<>>
        /\ \A i \in DOMAIN Line.edit.out : Line.edit.out[i].number[1] = 0
        /\ Line.ok = Applies(db.item, Line.edit)
        /\ Line.item = IF ~Line.ok THEN db.item
                       ELSE [done EXCEPT !.permits = IF Line.permits > 0 THEN Line.permits ELSE @]
        /\ ItemIs(Line.item)
        /\ UNCHANGED <<me, last>>

(* By hand or by TTL. Tickets rise from here on. *)
IsRemoved ==
    /\ ItemIs(Line.item)
    /\ last' = [ticket |-> 0, alone |-> 0, fences |-> {}, twice |-> {}, removed |-> TRUE]
    /\ UNCHANGED me

-------------------------------------------------------------------------------
(*                             Answers are heard                             *)

SeesItem(p, m, item, isLater) ==
    IF Newer(m, item, isLater) THEN [See(p, m, item) EXCEPT !.seen = Line.since]
    ELSE IF isLater THEN [m EXCEPT !.seen = Line.since] ELSE m

NeverLands(m, e) ==
    LET never == {n \in DOMAIN m.own : ~m.own[n].shown /\ \E k \in DOMAIN e.append : e.append[k].number = n}
        numbers == {e.put[i].to.number : i \in DOMAIN e.put}
    IN  [m EXCEPT !.own = [n \in DOMAIN m.own \ never |-> [m.own[n] EXCEPT !.to = {x \in @ : x.entry.number \notin numbers}]]]

Hears ==
    LET p == Line.p
        m == me[p]
        e == lines[Line.sent].edit
        outs == {e.out[i].number : i \in DOMAIN e.out}
        without == [m EXCEPT !.own = [n \in DOMAIN m.own \ outs |-> m.own[n]]]
    IN  /\ lines[Line.sent].p = p
        /\ \E k \in Line.sent .. at - 1 : /\ lines[k].event = "Land" /\ lines[k].sent = Line.sent
                                         /\ lines[k].ok = Line.ok /\ lines[k].item = Line.item
        /\ Becomes(SeesItem(p, IF Line.ok THEN without ELSE NeverLands(m, e), Line.item, Line.sent >= m.seen))

Fails == Becomes(IF Line.may THEN me[Line.p] ELSE NeverLands(me[Line.p], lines[Line.sent].edit))

(* A consistent read shows an item that was there while it was under way, another one any that ever was. *)
WasThere(item) ==
    \E k \in DOMAIN past : past[k].item = item /\ (~Line.hard \/ k = Len(past) \/ past[k + 1].at > Line.sent)

Reads ==
    /\ WasThere(Line.item) = TRUE
    /\ Becomes(SeesItem(Line.p, me[Line.p], Line.item, Line.hard /\ Line.sent >= me[Line.p].seen))

-------------------------------------------------------------------------------
(*                          Grants and their ends                            *)

(* Who says another number of permits than the item does gets none: it is told so when it has heard of the item. *)
AgreesOnPermits(m, c) ==
    \E k \in 1 .. at - 1 : lines[k].event = "Arrive" /\ lines[k].c = c /\ lines[k].permits = m.newest.permits

MayServeAt(m, i, c) ==
    LET offer == OfferAt(m, i)
        fits(x) == /\ offer.mode = Wants[x]
                   /\ offer.mode = "R" => x \in offer.serves
                   /\ offer.mode = "P" => AgreesOnPermits(m, x)
        place == Min({k \in DOMAIN m.waiters : m.waiters[k] = c})
    IN  /\ offer.free > 0 /\ fits(c)
        /\ \A k \in 1 .. place - 1 : ~fits(m.waiters[k])
        /\ MayServe(m, i)

Theirs == UNION {{h \in me[q].holders : <<q, me[q].s>> \in DOMAIN db.alive} : q \in DOMAIN me}

(* What we promise. *)
IsGood(p, m, h) ==
    LET numbers == {h.number} \cup {x.entry.number : x \in m.own[h.number].to}
        \* It may not have heard yet that there are fewer: permits that were granted stay held.
        permits == Max({db.item.permits, m.newest.permits})
        item == [db.item EXCEPT !.permits = permits]
    IN  /\ ~IsGone(Session(p, m)) /\ Line.now - db.alive[Session(p, m)].since < m.lease
        /\ last.removed \/
            /\ \E i \in DOMAIN item.queue : item.queue[i].number \in numbers /\ HoldsAt(item, i)
            /\ \A x \in Theirs : Together(x.mode, h.mode)
            /\ h.mode = "P" => Cardinality({x \in Theirs : x.mode = "P"}) < permits
            /\ h.no > IF h.mode = "W" THEN last.ticket ELSE last.alone
            /\ h.mode = "W" => \A n \in last.fences \ last.twice : ~Stands(db.item, n)

Grants ==
    LET p == Line.p
        m == me[p]
        number == <<p, m.s, Line.n>>
        i == PositionOf(m.newest, number)
        k == Min({x \in DOMAIN m.waiters : m.waiters[x] = Line.c})
        n == Granted(m, k, i)
        h == CHOOSE x \in n.holders : x.who = Line.c
    IN  /\ IsValid(m) /\ Line.c \in Range(m.waiters) /\ Stands(m.newest, number) /\ Knows(m, i)
        /\ MayServeAt(m, i, Line.c) = TRUE
        /\ h.no = Line.no
        /\ IsGood(p, m, h) = TRUE
        /\ last' = [last EXCEPT !.ticket = Max({@, h.no}), !.alone = IF h.mode = "W" THEN Max({@, h.no}) ELSE @]
        /\ me' = [me EXCEPT ![p] = IF IsAlone(Line.c) THEN [n EXCEPT !.own[number].used = m.newest.queue[i].slots] ELSE n]
        /\ UNCHANGED <<db, past>>

Holding(m) == {h \in m.holders : h.no = Line.no}
Goes(m, h) == [m EXCEPT !.holders = @ \ {h}]
LeavesFence(h) == last' = [last EXCEPT !.fences = @ \cup {h.number}]

LetsGo ==
    LET m == me[Line.p]
    IN  IF Holding(m) = {} THEN Becomes(m)
        ELSE LET h == CHOOSE x \in Holding(m) : TRUE
             IN  /\ me' = [me EXCEPT ![Line.p] =
                        [Goes(m, h) EXCEPT !.own[h.number].fenced = @ \/ Line.fence,
                                           !.own[h.number].data = IF Line.data = None THEN @ ELSE Line.data]]
                 /\ IF Line.fence THEN LeavesFence(h) ELSE UNCHANGED last
                 /\ UNCHANGED <<db, past>>

(* One that was forced out may still be running, as when it was the first to see that its session is over by the clocks; another one
   has seen that its entry or its session is gone, or its process stops. *)
Loses ==
    LET m == me[Line.p]
    IN  IF Line.why \in {"MAX_HOLD", "EVICTED", "SESSION_LOST"} /\ Holding(m) # {}
        THEN LET h == CHOOSE x \in Holding(m) : TRUE
             IN  /\ me' = [me EXCEPT ![Line.p] = ForcedOut(m, h)]
                 /\ IF h.mode = "W" THEN LeavesFence(h) ELSE UNCHANGED last
                 /\ UNCHANGED <<db, past>>
        ELSE Holding(m) = {} /\ Becomes(m)

Turns ==
    LET m == me[Line.p]
    IN  Becomes([m EXCEPT !.holders = {IF h.no = Line.no THEN [h EXCEPT !.mode = "R"] ELSE h : h \in @}])

(* Of an entry that nobody has used, and its process gives up. *)
GivesUp ==
    LET m == me[Line.p]
        n == <<Line.p, m.s, Line.n>>
    IN  Becomes(IF n \in DOMAIN m.own /\ By(m, n) = {} /\ Stands(m.newest, n) /\ m.own[n].used = 0
                THEN [m EXCEPT !.own[n].used = m.newest.queue[PositionOf(m.newest, n)].slots] ELSE m)

Stops ==
    LET m == me[Line.p]
        of(n) == {h.no : h \in By(m, n)}
        leaving(n) == {x \in Range(Line.left) : x[1] \in of(n)}
    IN  Becomes([m EXCEPT !.stage = "stopping", !.waiters = <<>>, !.holders = {},
                          !.own = [n \in DOMAIN @ |->
                              [@[n] EXCEPT !.keep = of(n) \cap Range(Line.kept) # {},
                                           !.data = IF leaving(n) = {} THEN @ ELSE (CHOOSE x \in leaving(n) : TRUE)[2]]]])

-------------------------------------------------------------------------------
(*                          Processes and sessions                           *)

Starts ==
    /\ me' = Append(me, Known([s |-> 0, made |-> 0, lease |-> Line.lease, most |-> Line.most])) /\ Len(me) + 1 = Line.p
    /\ UNCHANGED <<db, past, last>>
HasSession ==
    LET m == me[Line.p]
    IN  \* Beginnings are repeated under new numbers, and the first that is answered counts: perhaps one that was sent earlier.
        /\ Line.id[1] = Line.p
        /\ Becomes([m EXCEPT !.stage = "valid", !.s = Line.id[2], !.made = IF Line.id[2] = m.s THEN @ ELSE 0])

(* A heartbeat counts from when it was sent, as its owner does. *)
Lives(id, isAlive) ==
    /\ db' = [db EXCEPT !.alive = IF isAlive THEN (id :> [beat |-> Line.beat, since |-> Line.since]) @@ @
                                  ELSE [x \in DOMAIN @ \ {id} |-> @[x]]]
    /\ UNCHANGED <<me, past, last>>
Stays == UNCHANGED <<db, me, past, last>>

SessionLands(id) ==
    LET isThere == ~IsGone(id)
        shows == isThere /\ db.alive[id].beat = Line.beat
    IN  CASE Line.event = "Begin" -> /\ Line.ok = ~isThere
                                     /\ ~\E k \in 1 .. at - 1 : lines[k].event = "Begin" /\ lines[k].id = id
                                     /\ Lives(id, TRUE)
          [] Line.event = "Heartbeat" -> /\ Line.ok = (isThere /\ db.alive[id].beat < Line.beat)
                                         /\ IF Line.ok THEN Lives(id, TRUE) ELSE Stays
          [] Line.event = "Expire" -> /\ Line.ok = (~isThere \/ shows)
                                      /\ shows => Line.since - db.alive[id].since >= me[id[1]].lease
                                      /\ IF Line.ok THEN Lives(id, FALSE) ELSE Stays
          [] Line.event = "End" -> Line.ok /\ Lives(id, FALSE)

-------------------------------------------------------------------------------

IsStep ==
    CASE Line.event = "Arrive"    -> Becomes([me[Line.p] EXCEPT !.waiters = Append(@, Line.c)])
      [] Line.event = "End" /\ "c" \in DOMAIN Line -> Becomes([me[Line.p] EXCEPT !.waiters = WithoutCaller(@, Line.c)])
      [] Line.event = "Send"      -> Sends
      [] Line.event = "Land"      -> Lands
      [] Line.event = "Hear"      -> Hears
      [] Line.event = "Fail"      -> Fails
      [] Line.event = "Ask"       -> Becomes(me[Line.p])
      [] Line.event = "Read"      -> Reads
      [] Line.event = "Grant"     -> Grants
      [] Line.event = "LetGo"     -> LetsGo
      [] Line.event = "Lose"      -> Loses
      [] Line.event = "Turn"      -> Turns
      [] Line.event = "GiveUp"    -> GivesUp
      [] Line.event = "Close"     -> Stops
      [] Line.event = "Operate"   -> IsOperated
      [] Line.event = "Remove"    -> IsRemoved
      [] Line.event = "Start"     -> Starts
      [] Line.event = "Know"      -> Becomes(Known(me[Line.p]))
      [] Line.event = "Session"   -> HasSession
      [] Line.event = "NoSession" -> Becomes(Lost(Line.p, me[Line.p]))
      [] OTHER                    -> SessionLands(Line.id)

Begins ==
    /\ trace \in DOMAIN Traces /\ lines = Traces[trace] /\ at = 1
    /\ db = [item |-> Absent, alive |-> <<>>]
    /\ past = <<[at |-> 0, item |-> Absent]>>
    /\ me = <<>> /\ last = [ticket |-> 0, alone |-> 0, fences |-> {}, twice |-> {}, removed |-> FALSE]
    /\ late = {} /\ todo = {} /\ left = {} /\ seen = {}

(* TLC looks for a step of each state in this order, with one worker: Follows says that it was one. *)
ASSUME TLCSet(1, <<0, 0>>)

Follows ==
    /\ at <= Len(lines) /\ IsStep /\ at' = at + 1
    /\ UNCHANGED <<trace, lines, late, todo, left, seen>>
    /\ TLCSet(1, <<trace, at>>)

IsRejected ==
    /\ at <= Len(lines) /\ TLCGet(1) # <<trace, at>>
    /\ PrintT("rejected") /\ PrintT(<<trace, at>>) /\ PrintT(db) /\ PrintT(me) /\ PrintT(last)
    /\ FALSE

Replay == Begins /\ [][Follows \/ IsRejected]_<<vars, trace, lines, at, past, last>>

(* The lines are only read: TLC need not compare them. *)
State == <<trace, at>>
================================================================================
