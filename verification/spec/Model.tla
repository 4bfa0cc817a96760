--------------------------------- MODULE Model ---------------------------------
(* The configurations that TLC runs: who calls from where; and what happened in them. *)
EXTENDS DynamoLock, TLC

CONSTANTS a1, a2, b1

TwoAndOne == (a1 :> 1) @@ (a2 :> 1) @@ (b1 :> 2)
OneEach == (a1 :> 1) @@ (b1 :> 2)
Two == (a1 :> 1) @@ (a2 :> 1)
OneOfThree == OneEach @@ (a2 :> 3)

Each(a, other, b) == (a1 :> a) @@ (a2 :> other) @@ (b1 :> b)
AllAlone == Each("W", "W", "W")
AllShared == Each("R", "R", "R")
ReadersAndAWriter == Each("R", "R", "W")
WriterAndReaders == Each("W", "R", "R")
WritersAndAReader == Each("W", "W", "R")
AllPermits == Each("P", "P", "P")
NoPermits == Each(0, 0, 0)
TwoPermits == Each(2, 2, 2)
TwoPermitsOrOne == Each(2, 2, 1)

a2AfterA1 == {<<a1, a2>>}
OneByOne == {<<a1, b1>>, <<b1, a2>>}
UsedTable == [item |-> [Absent EXCEPT !.tail = 1], past |-> <<>>, alive |-> {<<1, 1>>, <<2, 1>>}, notices |-> {}, clock |-> 1, over |-> FALSE]
OneSession == <<1, 1, 1>>
TwoSessions == <<2, 1, 1>>

-------------------------------------------------------------------------------
(* What the configurations are there for. A promise that holds where nothing ever happened is worth nothing, so TLC
   says of each of these when it first sees a step that does it. *)

Queue == db.item.queue
Appended == {entry \in Range(db'.item.queue) : entry \notin Range(Queue)}
Out == {entry \in Range(Queue) : entry \notin Range(db'.item.queue)}
LandsLate == {e \in late \ late' : db'.item # db.item /\ left' = left /\ me' = me /\ Applies(db.item, e)}
ByHand == left'.removals # left.removals
IsMine(p, number) == SessionOf(number) = Session(p, me[p])
HoldersOf(mode) == {h \in UNION {me'[p].holders : p \in Processes} : h.mode = mode}
Answers(p) == me[p].edit # None /\ me'[p].edit # me[p].edit /\ left' = left /\ me'[p].s = me[p].s

Mechanisms == <<
    "the slot of one that gave up is had by the next", "a run of two entries", "passed on without a write", "several slots",
    "removal and append in one edit", "edit refused", "item from the past", "forgotten",
    "late append", "late append used", "late append taken out", "late removal", "late reissue", "reissue repeated under its number",
    "reissue missing from a newer answer", "twice",
    "fence", "forced out", "reissue for those who come next", "data with a reissue", "data with a removal",
    "session lost", "next session", "crash of a holder", "expired", "dead taken out",
    "orphan named by a notice", "evicted holder", "evicted waiter", "obeyed twice",
    "full", "turned away", "spare slot used", "kept", "kept taken out", "cleared", "removed", "item made anew",
    "readers of two processes", "reader behind a writer", "two permits", "permit waits", "other number refused", "number changed",
    "lowered below what is held", "downgrade", "downgrade before a writer of its process" >>

Happens(what) ==
    CASE what = "the slot of one that gave up is had by the next" ->
             \E p \in Processes : \E h \in New(p) : h.mode = "W" /\ h.number \in DOMAIN me[p].own /\ h.who \notin me[p].own[h.number].serves
      [] what = "a run of two entries" ->
             \E p \in Processes : LET m == me'[p] IN {1, 2} \subseteq {i \in DOMAIN m.newest.queue : Knows(m, i) /\ m.newest.queue[i].mode = "W"}
      [] what = "passed on without a write" ->
             \E p \in Processes : New(p) # {} /\ me[p].holders # {} /\ me'[p].newest = me[p].newest
      [] what = "several slots" -> \E entry \in Appended : entry.slots > 1
      [] what = "removal and append in one edit" -> Out # {} /\ Appended # {} /\ Len(Queue) # Len(db'.item.queue) + 1
      [] what = "edit refused" -> \E p \in Processes : Answers(p) /\ db'.item = db.item /\ me[p].edit.at = "sent"
      [] what = "item from the past" ->
             \E p \in Processes : me'[p].newest # me[p].newest /\ me'[p].newest # db.item /\ db' = db /\ me'[p].edit = me[p].edit
      [] what = "forgotten" -> \E p \in Processes : me[p].newest # Absent /\ me'[p].newest = Absent /\ me'[p].stage = "valid" /\ db.item # Absent
      [] what = "late append" -> \E e \in LandsLate : e.append # <<>>
      [] what = "late append used" -> \E p \in Processes : \E h \in New(p) : h.number \in seen.landedLate
      [] what = "late append taken out" -> \E entry \in Out : entry.number \in seen.landedLate /\ ~ByHand
      [] what = "late removal" -> \E e \in LandsLate : DOMAIN e.out # {}
      [] what = "late reissue" -> \E e \in LandsLate : DOMAIN e.put # {}
      [] what = "reissue repeated under its number" ->
             \E p \in Processes : \E n \in DOMAIN me[p].own : \E x \in me[p].own[n].to :
                 me[p].edit # me'[p].edit /\ me'[p].edit # None /\ late' # late
                 /\ \E i \in DOMAIN me'[p].edit.e.put : me'[p].edit.e.put[i].to = x.entry
      [] what = "reissue missing from a newer answer" ->
             \E p \in Processes : \E n \in DOMAIN me[p].own :
                 me[p].own[n].to # {} /\ IsValid(me'[p]) /\ me'[p].s = me[p].s /\ me'[p].newest # Absent
                 /\ me'[p].newest # me[p].newest /\ ({n} \cup {x.entry.number : x \in me[p].own[n].to}) \cap DOMAIN me'[p].own = {}
      [] what = "twice" -> late' \ late # {} /\ "twice" \in Kinds
      [] what = "fence" -> seen'.fences # seen.fences /\ \A c \in Overstayers : Holds(c) => me'[Home[c]].holders = me[Home[c]].holders
      [] what = "forced out" -> seen'.fences # seen.fences /\ \E p \in Processes : \E h \in me[p].holders : \A x \in me'[p].holders : x.who # h.who
      [] what = "reissue for those who come next" ->
             \E p \in Processes : \E n \in DOMAIN me[p].own :
                 me[p].own[n].fenced /\ By(me[p], n) = {} /\ n \notin DOMAIN me'[p].own /\ New(p) # {}
      [] what = "data with a reissue" -> db'.item.data # db.item.data /\ Appended # {}
      [] what = "data with a removal" -> db'.item.data # db.item.data /\ Appended = {}
      [] what = "session lost" -> \E p \in Processes : me[p].stage = "expired" /\ me'[p].stage = "none" /\ me[p].holders # {}
      [] what = "next session" -> \E p \in Processes : me'[p].s > me[p].s
      [] what = "crash of a holder" -> \E p \in Processes : me[p].holders # {} /\ me'[p].stage = "down"
      [] what = "expired" -> \E s \in db.alive \ db'.alive : me'[s[1]] = me[s[1]]
      [] what = "dead taken out" -> ~ByHand /\ \E entry \in Out : entry.mode # "kept" /\ SessionOf(entry.number) \notin db.alive
      [] what = "orphan named by a notice" ->
             \E n \in db.notices \ db'.notices : n.what = "is it yours" /\ Stands(db.item, n.number)
                 /\ n.number \notin DOMAIN me[n.number[1]].own /\ me'[n.number[1]].edit # None
      [] what = "evicted holder" ->
             \E n \in db.notices : n.what = "give it up" /\ \E p \in Processes : IsMine(p, n.number) /\ late' = late /\ me[p].stage = "valid"
                 /\ me[p].holders # {} /\ (db.notices # db'.notices) /\ \A h \in me[p].holders : \A x \in me'[p].holders : x.who # h.who
      [] what = "evicted waiter" ->
             \E n \in db.notices \ db'.notices : n.what = "give it up"
                 /\ LET p == n.number[1] IN Len(me'[p].waiters) < Len(me[p].waiters) /\ New(p) = {}
      [] what = "obeyed twice" -> left'.faults # left.faults /\ late' = late /\ db'.notices # {}
      [] what = "full" -> \E p \in Processes : me'[p].waiters # <<>> /\ me'[p].edit = None /\ me'[p].own = <<>> /\ me'[p].newest # Absent /\ IsValid(me'[p])
      [] what = "turned away" ->
             \E c \in Hasty : IsWaiting(c) /\ c \notin Range(me'[Home[c]].waiters) /\ \A h \in me'[Home[c]].holders : h.who # c
      [] what = "spare slot used" -> \E p \in Processes : \E h \in New(p) :
             h.number \in DOMAIN me[p].own /\ h.who \notin me[p].own[h.number].serves /\ Spare
      [] what = "kept" -> \E entry \in Appended : entry.mode = "kept"
      [] what = "kept taken out" -> \E entry \in Out : entry.mode = "kept"
      [] what = "cleared" -> left'.clearings # left.clearings
      [] what = "removed" -> ByHand /\ Queue # <<>>
      [] what = "item made anew" -> db.item = Absent /\ db.clock > 0 /\ db'.item # Absent
      [] what = "readers of two processes" -> \E x, y \in HoldersOf("R") : x.number[1] # y.number[1]
      [] what = "reader behind a writer" ->
             \E i, j \in DOMAIN db'.item.queue : i < j /\ db'.item.queue[i].mode = "W" /\ db'.item.queue[j].mode = "R"
      [] what = "two permits" -> Cardinality(HoldersOf("P")) = 2
      [] what = "permit waits" -> \E i \in DOMAIN db'.item.queue : db'.item.queue[i].mode = "P" /\ ~HoldsAt(db'.item, i)
      [] what = "other number refused" -> Leavers = {} /\ \E c \in Callers : c \notin todo' /\ Wants[c] = "P" /\ IsValid(me'[Home[c]])
             /\ c \notin Range(me'[Home[c]].waiters) /\ \A h \in me'[Home[c]].holders : h.who # c /\ ~Holds(c) /\ IsWaiting(c)
      [] what = "number changed" -> left'.resizes # left.resizes
      [] what = "lowered below what is held" -> Cardinality(HoldersOf("P")) > db'.item.permits /\ db'.item.permits > 0
      [] what = "downgrade" -> \E entry \in Appended, o \in Out : entry.mode = "R" /\ o.mode = "W" /\ PositionOf(db'.item, entry.number) = PositionOf(db.item, o.number) /\ IsValid(me[o.number[1]])
                                  /\ Len(Queue) = Len(db'.item.queue)
      [] what = "downgrade before a writer of its process" ->
             \E p \in Processes : \E h \in me'[p].holders : h.mode = "R" /\ me'[p].newest.queue # <<>>
                 /\ \E i \in DOMAIN me'[p].newest.queue : IsOwn(p, me'[p], i) /\ me'[p].newest.queue[i].mode = "W" /\ me'[p].newest.queue[i].number # h.number

ASSUME \A i \in DOMAIN Mechanisms : TLCSet(i, 0)

(* Always true. *)
Noted == \A i \in DOMAIN Mechanisms : TLCGet(i) = 1 \/ (Happens(Mechanisms[i]) => TLCSet(i, 1) /\ PrintT("happened: " \o Mechanisms[i]))
================================================================================
