--------------------------------- MODULE Trace ---------------------------------
(***************************************************************************)
(* Whether what the simulator wrote down is a behaviour of the protocol.   *)
(*                                                                         *)
(* A trace is a sequence of lines, and each line must be a step: a process *)
(* sends a call, a call lands, an answer is heard, a caller gets the lock, *)
(* lets it go or loses it, a session begins or is lost.                    *)
(*                                                                         *)
(*   The table: what a call does when it lands is said by DynamoLock's     *)
(*   Land, and the line must show the same answer and the same item. The   *)
(*   network may do with a call what it likes: a call that was sent lands  *)
(*   at any time, never or twice, and its answer may get lost.             *)
(*                                                                         *)
(*   The processes: what an answer means for a block is said by            *)
(*   DynamoLock's Seen. From what its process has heard follows what it    *)
(*   may send, and when a caller may have the lock, with which ticket.     *)
(*   An answer that came too late for its sender counts as heard. What a   *)
(*   process must do, and how soon, is not asked here; nor are its         *)
(*   callers' waits, nor the time for which a session is valid.            *)
(*                                                                         *)
(* A place in a block belongs to no caller in particular: callers that     *)
(* come later may take the places of others that gave up (MovingUp).       *)
(*                                                                         *)
(* What DynamoLock leaves out is allowed by name: BuriedByWallClock,       *)
(* OvertakenBeat, Kept items, Stops, Keeps, and ByAWrongClock.             *)
(***************************************************************************)
EXTENDS DynamoLock, TLC

CONSTANT Traces

VARIABLES
    trace,   \* which of the traces
    lines,   \* what it says
    at,      \* the next line
    removed  \* blocks that stood in an item when that was removed

Line == lines[at]
Before == 1 .. at - 1

(* How the lines are written. A call that a line tells of goes by the number of the line that tells of its sending. *)
As(mode, p, s, n, callers) == Entry(<<p, s, n>>, callers, mode)
E(p, s, n, callers) == As("exclusive", p, s, n, callers)
IP(tail, queue, permits) == [tail |-> tail, queue |-> queue, permits |-> permits]
I(tail, queue) == IP(tail, queue, 0)
S(p, s, beat, beatAt) == [id |-> <<p, s>>, beat |-> beat, beatAt |-> beatAt]

Nothing == <<>>

(* What a process knows:
     begun, s   its sessions so far, the one that it has if it is live
     blocks     of this session, as in DynamoLock; each has as many places as were ever shown
     since      the line at which each of them was first heard of in the queue
     gone       those of them that are known to have been taken out
     open       grants whose end was not told: ticket, block, mode, and whether it was let go
     dead       sessions that were found gone
     beats      of other sessions: the greatest that was heard, and when first, by the clock of this process
     most       how many blocks the queue may have *)
Process(line) ==
    [live |-> "no", begun |-> 0, s |-> 0, made |-> 0, blocks |-> <<>>, since |-> <<>>, gone |-> {}, open |-> {},
     dead |-> {}, beats |-> <<>>, stopped |-> FALSE, lease |-> line.lease, delay |-> line.delay, skew |-> line.skew,
     most |-> line.most]

(* What a line says only where it is not what it always is for a lock that is held alone. *)
Said(line, field, otherwise) == IF field \in DOMAIN line THEN line[field] ELSE otherwise

CallOf(line) ==
    CASE line.call = "ask"    -> [Call("ask", line.entry.block) EXCEPT !.entry = line.entry, !.most = line.most,
                                                                       !.permits = Said(line, "permits", 0)]
      [] line.call = "grow"   -> [Call("grow", line.entry.block) EXCEPT !.entry = line.entry, !.i = line.i, !.to = line.to]
      [] line.call = "leave"  -> [Call("leave", None) EXCEPT !.entries = line.entries]
      [] line.call = "rename" -> [Call("rename", line.entry.block) EXCEPT !.i = Said(line, "i", 1), !.entry = line.entry,
                                                                          !.to = line.to]
      [] line.call = "resize" -> [Call("resize", None) EXCEPT !.permits = line.permits]
      [] line.call = "beat"   -> [Call("beat", line.id) EXCEPT !.beat = line.beat, !.ids = line.ids]
      [] line.call = "bury"   -> [Call("bury", line.id) EXCEPT !.beat = line.beat]
      [] line.call \in {"begin", "end", "raise"} -> Call(line.call, line.id)
      [] OTHER -> Call(line.call, None)

Steps == {"ask", "grow", "leave", "rename", "resize"}
OnTheItem == Steps \cup {"look", "lookHard"}

-------------------------------------------------------------------------------
(*                               Calls are sent                              *)

Lent(m, id) == \E x \in m.open : x.id = id /\ ~x.letGo
IsNew(m, id) == id[3] > m.made
Heard(p, Test(_)) ==
    \E k \in Before : /\ lines[k].event = "Hear" /\ lines[k].p = p
                      /\ lines[lines[k].sent].call \in OnTheItem /\ Test(lines[lines[k].landed].item)

(* What the network may do with a call its process may do, too. *)
IsSentAgain(op) ==
    /\ op \in Steps
    /\ \E k \in Before : lines[k].event = "Send" /\ [lines[k] EXCEPT !.now = Line.now] = Line

BuriedByWallClock(p, m, c) ==
    /\ m.skew > 0
    /\ \E k \in Before : /\ lines[k].event = "Hear" /\ lines[k].p = p
                         /\ "shows" \in DOMAIN lines[lines[k].landed]
                         /\ \E x \in lines[lines[k].landed].shows :
                                /\ x.id = c.id /\ x.beat = c.beat
                                /\ x.beatAt + me[c.id[1]].lease + m.delay + m.skew <= lines[k].wall

(* A process that stops may leave a lock under a session of its own, by which nobody holds it: to keep it for a while. *)
Keeps(id) == me[id[1]].stopped /\ id[2] > me[id[1]].s

MayBury(p, m, c) ==
    /\ ~IsOwn(p, m, c.id) /\ c.id \in DOMAIN m.beats /\ m.beats[c.id].beat = c.beat
    /\ \/ Keeps(c.id)
       \/ Line.now - m.beats[c.id].first >= me[c.id[1]].lease + m.delay
       \/ BuriedByWallClock(p, m, c)

(* A reader that comes to the door sends no ask if its process knows that the queue is full, nor does one that goes on there
   under a new session: so no block tells of it. But its process has seen these in a full queue, and somebody has asked for
   the lock who may hold it beside others. *)
AtTheDoorOfMany(p, m, entries) ==
    /\ \E k \in Before : /\ lines[k].event = "Send" /\ lines[k].call = "ask"
                         /\ lines[k].entry.mode \in {"shared", "permit"}
    /\ Heard(p, LAMBDA item : /\ Len(item.queue) >= Max({m.most, Len(entries)})
                             /\ \A i \in DOMAIN entries : entries[i] \in {NoEntry, item.queue[i]})

(* Own blocks that nobody has the lock by; of others the dead, if they stand before all that may live, or a caller of this
   process may hold the lock beside others. *)
MayTakeOut(p, m, entries) ==
    \A i \in DOMAIN entries :
        \/ entries[i] = NoEntry
        \/ entries[i].block[1] = p /\ ~Lent(m, entries[i].block)
        \/ /\ IsDead(m, entries[i].block)
           /\ \/ \A j \in 1 .. i : entries[j] # NoEntry
              \/ \E b \in Range(m.blocks) : b.mode \in {"shared", "permit"}
              \/ AtTheDoorOfMany(p, m, entries)

(* The item of a lock that is held for days is written as it is, so that TTL does not take it. *)
Kept(c) == c.to = c.entry

(* The rest of a block; readers keep what they have, and a lone holder may turn into one. *)
MayBeRenamed(m, c) ==
    \/ ~Lent(m, c.id) /\ c.to.mode = c.entry.mode
    \/ c.to.mode = "shared" /\ c.entry.mode = "shared"
    \/ c.to.mode = "shared" /\ c.entry.mode = "exclusive" /\ c.to.callers = 1

MaySend(p, m, c) ==
    CASE c.op = "ask"    -> IsOwn(p, m, c.id) /\ IsNew(m, c.id)
      [] c.op = "grow"   -> /\ Index(m, c.id) # 0 /\ m.blocks[Index(m, c.id)].st \in InTable
                            /\ c.to.block = c.id /\ c.to.callers > c.entry.callers /\ c.to.mode = c.entry.mode
                            /\ Heard(p, LAMBDA item : c.entry \in Range(item.queue))
                            /\ Heard(p, LAMBDA item : Len(item.queue) = c.i /\ IndexOf(item, c.id) = c.i)
      [] c.op = "leave"  -> MayTakeOut(p, m, c.entries)
      [] c.op = "rename" -> /\ Index(m, c.id) # 0
                            /\ LET b == m.blocks[Index(m, c.id)]
                               IN  /\ b.st = "HOLDING"
                                   /\ \/ Kept(c)
                                      \/ /\ MayBeRenamed(m, c) /\ IsOwn(p, m, c.to.block)
                                         /\ c.to.block = b.to \/ IsNew(m, c.to.block)
                                      \/ ~Lent(m, c.id) /\ c.to.block[1] = p /\ Keeps(SessionOf(c.to.block))
      [] c.op = "begin"  -> (m.live = "no" \/ m.stopped) /\ c.id = <<p, m.begun + 1>>
      [] c.op = "beat"   -> m.live = "yes" /\ c.id = Session(p, m)
      [] c.op = "bury"   -> MayBury(p, m, c)
      [] c.op = "end"    -> c.id[1] = p
      [] c.op = "raise"  -> ~IsOwn(p, m, c.id) /\ Heard(p, LAMBDA item : IndexOf(item, c.id) # 0 /\ IsInTheWay(item, IndexOf(item, c.id)))
      [] OTHER -> TRUE

TakenOut(c, b) == b.id \in {e.block : e \in Range(c.entries)}

(* What was held is lost; callers that wait ask anew under the next session. *)
NoSession(m) == [m EXCEPT !.live = "no", !.blocks = <<>>, !.since = <<>>]

AfterSending(m, c) ==
    LET k == Index(m, c.id)
    IN  CASE c.op = "ask" /\ k = 0 ->
               [m EXCEPT !.made = c.id[3],
                         !.blocks = Append(@, NewBlock(c.id, [i \in 1 .. c.entry.callers |-> "somebody"],
                                                [mode |-> c.entry.mode, permits |-> c.permits], c.most))]
          [] c.op = "leave" ->
               [m EXCEPT !.blocks = [i \in DOMAIN @ |-> IF TakenOut(c, @[i]) THEN [@[i] EXCEPT !.st = "LEAVING"] ELSE @[i]]]
          [] c.op = "rename" /\ ~Kept(c) ->
               [m EXCEPT !.blocks[k].to = c.to.block, !.made = Max({@, c.to.block[3]}),
                         !.open = {IF x.id = c.id THEN [x EXCEPT !.mode = c.to.mode] ELSE x : x \in @}]
          [] c.op = "begin" -> [m EXCEPT !.begun = @ + 1]
          [] c.op = "end" /\ IsOwn(c.id[1], m, c.id) -> NoSession(m)
          [] OTHER -> m

Sends ==
    LET p == Line.p
        c == CallOf(Line)
        isNew == ~IsSentAgain(c.op)
    IN  /\ (isNew => MaySend(p, me[p], c)) = TRUE   \* a value, not a choice between steps
        /\ me' = IF isNew THEN [me EXCEPT ![p] = AfterSending(@, c)] ELSE me
        /\ UNCHANGED <<db, last, removed>>

-------------------------------------------------------------------------------
(*                                Calls land                                 *)

(* An eventually consistent look may show any item that there was. *)
WasThere(item) ==
    \/ item = db.item \/ item = Absent
    \/ \E k \in Before : lines[k].event = "Land" /\ "item" \in DOMAIN lines[k] /\ lines[k].item = item

ShownRightly(x) == Alive(db, x.id) /\ db.sess[x.id] = x.beat

(* In the model a beat is never overtaken by a later one: see Overtaken there. The table refuses it. *)
OvertakenBeat(c) == c.op = "beat" /\ Alive(db, c.id) /\ c.beat <= db.sess[c.id]

(* The tickets of a new item start from the clock of the first who asks: after a removal they rise if that is right. *)
ByAWrongClock(base) == \E mode \in Modes : base < last[mode]

Lands ==
    LET sent == lines[Line.sent]
        c == CallOf(sent)
        base == IF c.op = "ask" THEN [db EXCEPT !.base = Line.base] ELSE db
        done == Land(base, c)
        isOnItem == c.op \in OnTheItem
        isNewItem == c.op = "ask" /\ Line.ok /\ db.item = Absent
    IN  /\ c.op = "begin" => ~\E k \in Line.sent .. at - 1 : lines[k].event = "Land" /\ lines[k].sent = Line.sent
        /\ CASE c.op = "look" -> WasThere(Line.item) = TRUE /\ UNCHANGED db
             [] c.op = "read" -> /\ \A x \in Line.shows : ShownRightly(x)
                                 /\ \A s \in sent.ids : Alive(db, s) => s \in {x.id : x \in Line.shows}
                                 /\ UNCHANGED db
             [] OvertakenBeat(c) -> ~Line.ok /\ UNCHANGED db
             [] OTHER -> /\ Line.ok = done.call.ok
                         /\ isOnItem => Line.item = done.call.item
                         /\ db' = done.db
        /\ last' = IF isNewItem /\ ByAWrongClock(Line.base) THEN [mode \in Modes |-> Line.base] ELSE last
        /\ UNCHANGED <<me, removed>>

(* By hand or by TTL. *)
IsRemoved ==
    /\ db' = Written(db, Call("remove", None), Absent).db
    /\ removed' = removed \cup {e.block : e \in Range(db.item.queue)}
    /\ UNCHANGED <<me, last>>

-------------------------------------------------------------------------------
(*                             Answers are heard                             *)

(* Every place that the item shows is somebody's. *)
Filled(b, item) ==
    LET i == IndexOf(item, b.id)
        more == IF i = 0 THEN 0 ELSE Max({0, item.queue[i].callers - b.n})
    IN  [b EXCEPT !.growth = [k \in 1 .. more |-> "somebody"]]

(* DynamoLock takes no number of tickets for news of a block that was renamed. But a rename issues none: so an item in which more
   were issued than in one that shows the new name is newer than that one, and if it does not show the name, the block is gone. *)
SinceItsName(before, b, item) == IF b.id = before.id THEN b ELSE [b EXCEPT !.issued = item.tail + 1]

SeesItem(m, c, sent, item, ok) ==
    LET since == IF c.op = "look" THEN {} ELSE {id \in DOMAIN m.since : m.since[id] < sent}
        seen == [k \in DOMAIN m.blocks |-> Seen(Filled(m.blocks[k], item), item, since)]
        isGone(k) == \/ seen[k].st = "GONE"
                     \/ c.op = "leave" /\ ~ok /\ TakenOut(c, m.blocks[k]) /\ IndexOf(item, m.blocks[k].id) = 0
        shown == {seen[k].id : k \in {x \in DOMAIN seen : IndexOf(item, seen[x].id) # 0}}
        noted == [k \in DOMAIN seen |-> IF seen[k].st = "GONE" THEN m.blocks[k] ELSE SinceItsName(m.blocks[k], seen[k], item)]
        (* A grant goes on under the new name of its block. *)
        named(x) == LET k == Index(m, x.id) IN IF k = 0 THEN x ELSE [x EXCEPT !.id = seen[k].id]
        hasLeft(b) == c.op = "leave" /\ b.st = "LEAVING" /\ TakenOut(c, b) /\ IndexOf(item, b.id) = 0
    IN  [m EXCEPT !.blocks = SelectSeq(noted, LAMBDA b : ~hasLeft(b)),
                  !.open = {named(x) : x \in @},
                  !.gone = @ \cup {m.blocks[k].id : k \in {x \in DOMAIN seen : isGone(x)}},
                  !.since = @ @@ [id \in shown |-> at]]

(* Beats only rise: an answer that shows an earlier one was overtaken on its way, and takes nothing back. *)
SeesSessions(m, asked, shows, now) ==
    LET alive == {x.id : x \in shows}
        shown(id) == CHOOSE x \in shows : x.id = id
        isNew(id) == id \notin DOMAIN m.beats \/ m.beats[id].beat < shown(id).beat
    IN  [m EXCEPT !.dead = @ \cup (asked \ alive),
                  !.beats = [id \in {x \in alive : isNew(x)} |-> [beat |-> shown(id).beat, first |-> now]] @@ @]

Hears ==
    LET p == Line.p
        sent == lines[Line.sent]
        landed == lines[Line.landed]
        c == CallOf(sent)
    IN  /\ landed.sent = Line.sent /\ sent.p = p
        /\ me' = [me EXCEPT ![p] =
               IF c.op \in OnTheItem THEN SeesItem(@, c, Line.sent, landed.item, landed.ok)
               ELSE SeesSessions(@, IF c.op = "read" THEN sent.ids
                                    ELSE IF c.op = "raise" THEN {SessionOf(c.id)} ELSE {c.id}, landed.shows, Line.now)]
        /\ UNCHANGED <<db, last, removed>>

-------------------------------------------------------------------------------
(*                          Grants and their ends                            *)

(* All names that the block has had: its callers keep their tickets when it gets another. *)
RECURSIVE NamesOf(_)
NamesOf(id) == {id} \cup UNION {NamesOf(x[1]) : x \in {y \in db.renamed : y[2] = id /\ y[1] # id}}

(* They are fixed by the item that first showed the block hold the lock. If that came too late for its sender, or to one that only
   looked for strays, they are those of a later one: greater by as many as have left behind the block, or those of its ask's second
   landing if the item was removed. *)
IsTicketOf(p, b, no) ==
    \/ \E x \in Range(b.cs) : x.no = no
    \/ \E id \in NamesOf(b.id) : Heard(p, LAMBDA item :
           LET i == IndexOf(item, id)
           IN  i # 0 /\ HoldsAt(item, i) /\ no \in LastTicket(item, i) - item.queue[i].callers + 1 .. LastTicket(item, i))

(* One that was granted a permit keeps it though their number is lowered. *)
IsGranted(b, no) ==
    /\ \E i \in DOMAIN db.item.queue : /\ db.item.queue[i].block = b.id
                                       /\ HoldsAt([db.item EXCEPT !.permits = db.widest], i)
    /\ \A mode \in Modes : ~Together(b.mode, mode) => no > last[mode]

Grants ==
    LET p == Line.p
        m == me[p]
    IN  \E k \in DOMAIN m.blocks :
            LET b == m.blocks[k]
            IN  /\ IsOwn(p, m, b.id) /\ ~m.stopped /\ Alive(db, Session(p, m))
                /\ b.st = "HOLDING" /\ ~b.out /\ \A x \in m.open : x.letGo \/ Together(x.mode, b.mode)
                /\ IsTicketOf(p, b, Line.no) = TRUE
                /\ (b.id \in removed \/ IsGranted(b, Line.no)) = TRUE
                /\ last' = IF b.id \in removed THEN last ELSE [last EXCEPT ![b.mode] = Max({@, Line.no})]
                /\ me' = [me EXCEPT ![p].blocks[k].cs = SelectSeq(@, LAMBDA x : x.no = 0 \/ x.no > Line.no),
                                    ![p].open = @ \cup {[no |-> Line.no, id |-> b.id, mode |-> b.mode, letGo |-> FALSE]}]
                /\ UNCHANGED <<db, removed>>

Open(m) == {x \in m.open : x.no = Line.no}

(* Perhaps of what it has lost. *)
LetsGo ==
    /\ me' = [me EXCEPT ![Line.p].open = {IF x.no = Line.no THEN [x EXCEPT !.letGo = TRUE] ELSE x : x \in @}]
    /\ UNCHANGED <<db, last, removed>>

Released ==
    /\ \E x \in Open(me[Line.p]) : x.letGo
    /\ me' = [me EXCEPT ![Line.p].open = @ \ Open(me[Line.p])]
    /\ UNCHANGED <<db, last, removed>>

MayLose(m, x) ==
    CASE Line.why = "SESSION_LOST" -> m.live = "no" \/ x.letGo
      [] Line.why = "TAKEN_AWAY"   -> x.id \in m.gone
      [] Line.why = "CLOSED"       -> m.stopped
      [] OTHER -> TRUE

(* A caller that was forced out may still be running: its block is done with until it has another name. *)
Loses ==
    \E x \in Open(me[Line.p]) :
        /\ MayLose(me[Line.p], x) = TRUE
        /\ me' = [me EXCEPT ![Line.p].open = @ \ {x},
                            ![Line.p].blocks = [k \in DOMAIN @ |->
                                IF @[k].id = x.id /\ Line.why \in {"MAX_HOLD", "EVICTED"} /\ ~x.letGo THEN [@[k] EXCEPT !.out = x.mode # "shared"]
                                                                                     ELSE @[k]]]
        /\ UNCHANGED <<db, last, removed>>

-------------------------------------------------------------------------------
(*                          Processes and sessions                           *)

Becomes(m) == me' = [me EXCEPT ![Line.p] = m] /\ UNCHANGED <<db, last, removed>>

Starts == me' = Append(me, Process(Line)) /\ Len(me) + 1 = Line.p /\ UNCHANGED <<db, last, removed>>
HasSession ==
    /\ me[Line.p].live = "no" /\ Line.id = <<Line.p, me[Line.p].begun>> /\ db.sess[Line.id] # NotYet
    /\ Becomes([me[Line.p] EXCEPT !.live = "yes", !.s = Line.id[2], !.made = 0])
LosesSession == Becomes(NoSession(me[Line.p]))
Stops == Becomes([me[Line.p] EXCEPT !.stopped = TRUE])
IsKilled == Becomes([me[Line.p] EXCEPT !.live = "down"])

-------------------------------------------------------------------------------

IsStep ==
    CASE Line.event = "Send"     -> Sends
      [] Line.event = "Land"     -> Lands
      [] Line.event = "Hear"     -> Hears
      [] Line.event = "Grant"    -> Grants
      [] Line.event = "LetGo"    -> LetsGo
      [] Line.event = "Release"  -> Released
      [] Line.event = "Lose"     -> Loses
      [] Line.event = "Remove"   -> IsRemoved
      [] Line.event = "Start"    -> Starts
      [] Line.event = "Session"  -> HasSession
      [] Line.event = "NoSession" -> LosesSession
      [] Line.event = "Stop"     -> Stops
      [] Line.event = "Die"      -> IsKilled

TheirSessions == {lines[k].id : k \in {x \in DOMAIN lines : lines[x].event = "Send" /\ lines[x].call = "begin"}}

Begins ==
    /\ trace \in DOMAIN Traces /\ lines = Traces[trace] /\ at = 1 /\ removed = {}
    /\ db = [EmptyTable EXCEPT !.sess = [s \in TheirSessions |-> NotYet]]
    /\ me = <<>> /\ last = [mode \in Modes |-> 0]
    /\ late = {} /\ todo = {} /\ left = {}

(* TLC looks for a step of each state in this order, with one worker: Follows says that it was one. *)
ASSUME TLCSet(1, <<0, 0>>)

Follows ==
    /\ at <= Len(lines) /\ IsStep /\ at' = at + 1
    /\ UNCHANGED <<trace, lines, late, todo, left>>
    /\ TLCSet(1, <<trace, at>>)

IsRejected ==
    /\ at <= Len(lines) /\ TLCGet(1) # <<trace, at>>
    /\ PrintT("rejected") /\ PrintT(<<trace, at>>) /\ PrintT(db) /\ PrintT(me)
    /\ FALSE

Replay == Begins /\ [][Follows \/ IsRejected]_<<vars, trace, lines, at, removed>>

(* The lines are only read: TLC need not compare them. *)
State == <<trace, at, db, me, last, removed>>
================================================================================
