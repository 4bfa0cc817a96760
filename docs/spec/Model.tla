--------------------------------- MODULE Model ---------------------------------
(* The configurations that TLC runs: who calls from where; and what happened in them. *)
EXTENDS DynamoLock, TLC

CONSTANTS a1, a2, b1

TwoAndOne == (a1 :> 1) @@ (a2 :> 1) @@ (b1 :> 2)
OneEach == (a1 :> 1) @@ (b1 :> 2)
OneOfThree == OneEach @@ (a2 :> 3)

Each(a, other, b) == (a1 :> a) @@ (a2 :> other) @@ (b1 :> b)
AllAlone == Each(Alone, Alone, Alone)
AllShared == Each(Shared, Shared, Shared)
ReadersAndAWriter == Each(Shared, Alone, Shared)
WriterBehindReaders == Each(Shared, Shared, Alone)
ReaderBehindWriters == Each(Alone, Alone, Shared)
TwoPermits == Each(Permit(2), Permit(2), Permit(2))
TwoPermitsOrOne == Each(Permit(2), Permit(2), Permit(1))
OneOfAKind == Each(Shared, Unknown, Permit(2))
Tries == Each(Shared, Permit(1), Alone)

a2AfterB1 == {<<b1, a2>>}

OneSession == <<1, 1>>
TwoAndOneSession == <<2, 1>>
ThreeAndOneSession == <<3, 1>>
OneSessionOfThree == <<1, 1, 1>>

-------------------------------------------------------------------------------
(* What the configurations are there for. A promise that holds where nothing ever happened is worth nothing, so TLC
   says of each of these when it first sees a step that does it. *)

BlocksOf(m) == Range(m.blocks)
HoldsSome(m) == GrantsOf(m) # {}
Queue == db.item.queue
FirstBlock(item) == IF item.queue = <<>> THEN None ELSE Head(item.queue).block
Calls(p) == {c \in me[p].calls \ me'[p].calls : c.at = "answered" /\ me'[p].live = "yes" /\ left'.faults = left.faults}
Heard(op, ok) == \E p \in Processes : \E c \in Calls(p) : c.op = op /\ c.ok = ok
LateLands(op) == \E c \in late \ late' : c.op = op /\ db'.strays # db.strays /\ db'.item # db.item
(* The entries that the step takes out. *)
Out == {e.block : e \in Range(Queue)} \ {e.block : e \in Range(db'.item.queue)}

HoldsNow(c) == \E b \in BlocksOf(me'[Home[c]]) : HasIt(b, c)
Asked(c, mode) == Wants[c].mode = mode /\ IsWaiting(c)
TurnedAway(c) ==
    c \in Hasty /\ IsWaiting(c) /\ me'[Home[c]].live = "yes" /\ ~WaitsIn(me'[Home[c]], c) /\ ~HoldsNow(c)
ModesIn(item) == [i \in DOMAIN item.queue |-> item.queue[i].mode]
(* Two in the queue, the one before the other. *)
Before(x, y) == \E i, j \in DOMAIN db'.item.queue : i < j /\ ModesIn(db'.item)[i] = x /\ ModesIn(db'.item)[j] = y
HeldTogether(mode) == {b.id : b \in {x \in UNION {BlocksOf(me'[p]) : p \in Processes} : x.has # {} /\ x.mode = mode}}

(* A block becomes the holder by what process p sees. *)
BecomesFirst(p, b) == b.st = "HOLDING" /\ ~\E x \in BlocksOf(me[p]) : x.id = b.id /\ x.st = "HOLDING"

Mechanisms == <<
    "passed on in a block", "several wait in the queue", "given up",
    "grows while it waits", "grows while it holds", "growth refused", "growth shown by another answer", "late grow",
    "rename", "rename shown by another answer", "late rename",
    "ask repeated in vain", "undo finds it", "undo finds nothing", "late ask", "late leave", "twice",
    "granted by an old look", "look from before the place", "gone",
    "stray taken out", "dispute", "dispute of a wanted block", "dead taken out", "two dead taken out in one", "dead taken out by one who is not next",
    "crash of a holder", "pause beyond the lease", "session lost", "next session", "burial", "burial of the living",
    "full", "room seen", "turned away", "loss noticed at the release",
    "readers of two processes", "readers of one block", "reader behind a writer", "writer behind readers",
    "reader forced out beside another", "downgrade", "downgrade beside another of its process",
    "two permits", "permit waits", "other number refused", "raised", "lowered below what is held",
    "reader beside an unknown mode", "permit beside a reader", "reader turned away", "permit turned away",
    "dead taken out before the living", "dead taken out behind the living", "dead writer taken out between readers", "dispute behind the first" >>

Happens(what) ==
    CASE what = "passed on in a block" -> 
             \E p \in Processes : Granted(p) # {} /\ HoldsSome(me[p]) /\ Cardinality(GrantsOf(me'[p])) = 1
                                  /\ db'.item.queue = Queue
      [] what = "several wait in the queue" -> Len(db'.item.queue) = 3
      [] what = "given up" -> \E c \in Callers : /\ IsWaiting(c) /\ me'[Home[c]].live # "down"
                                                 /\ ~WaitsIn(me'[Home[c]], c) /\ ~HoldsNow(c)
      [] what = "grows while it waits" -> \E p \in Processes : \E b \in BlocksOf(me[p]), x \in BlocksOf(me'[p]) :
                                              x.id = b.id /\ b.st = "WAITING" /\ x.n > b.n
      [] what = "grows while it holds" -> \E p \in Processes : \E b \in BlocksOf(me[p]), x \in BlocksOf(me'[p]) :
                                              x.id = b.id /\ b.st = "HOLDING" /\ x.n > b.n
      [] what = "growth refused" -> Heard("grow", FALSE)
      [] what = "growth shown by another answer" ->
             \E p \in Processes : \E c \in Calls(p) : c.op # "grow" /\
                 \E b \in BlocksOf(me[p]), x \in BlocksOf(me'[p]) : x.id = b.id /\ x.n > b.n
      [] what = "late grow" -> LateLands("grow")
      [] what = "rename" -> /\ Queue # <<>> /\ Len(db'.item.queue) = Len(Queue) /\ db'.item.tail = db.item.tail
                            /\ Head(db'.item.queue).block # Head(Queue).block
      [] what = "rename shown by another answer" ->
             \/ Heard("rename", FALSE)
             \/ \E p \in Processes : \E b \in BlocksOf(me[p]) :
                    b.to # None /\ Index(me'[p], b.to) # 0 /\ ~\E c \in Calls(p) : c.op = "rename"
      [] what = "late rename" -> LateLands("rename")
      [] what = "ask repeated in vain" -> \E p \in Processes : \E c \in Calls(p) :
                                              c.op = "ask" /\ ~c.ok /\ IndexOf(c.item, c.id) # 0
      [] what = "undo finds it" -> \E p \in Processes : \E c \in Calls(p) : \E b \in BlocksOf(me[p]) :
                                       c.op = "lookHard" /\ b.st = "UNDOING" /\ IndexOf(c.item, b.id) # 0
      [] what = "undo finds nothing" -> \E p \in Processes : \E b \in BlocksOf(me[p]) :
                                            b.st = "UNDOING" /\ me'[p].live = "yes" /\ ~Knows(me'[p], b.id)
                                            /\ IndexOf(db.item, b.id) = 0
      [] what = "late ask" -> LateLands("ask")
      [] what = "late leave" -> LateLands("leave")
      [] what = "twice" -> late' \ late # {} /\ left'.faults # left.faults /\ \E p \in Processes : \E c \in me[p].calls :
                               c \in late' /\ c \notin me'[p].calls /\ \E x \in me'[p].calls : x.id = c.id /\ x.at = "answered"
      [] what = "granted by an old look" ->
             \E p \in Processes : \E c \in Calls(p) : c.op = "look" /\ c.item # db.item
                 /\ \E b \in BlocksOf(me'[p]) : BecomesFirst(p, b) /\ FirstBlock(c.item) = b.id
      [] what = "look from before the place" ->
             \E p \in Processes : \E c \in Calls(p) : c.op = "look" /\ me'[p].live = "yes" /\ \E b \in BlocksOf(me[p]) :
                 b.st \in InTable /\ IndexOf(c.item, b.id) = 0 /\ IndexOf(db.item, b.id) # 0
      [] what = "gone" -> \E p \in Processes : \E c \in Callers : \E b \in BlocksOf(me[p]) :
                              /\ b.st = "WAITING" /\ c \in Range(WhoOf(b.cs)) /\ me'[p].s = me[p].s
                              /\ WaitsIn(me'[p], c) \/ (Home[c] = p /\ HoldsNow(c))
                              /\ ~Knows(me'[p], b.id)
      [] what = "stray taken out" -> \E id \in Out : IsOwn(id[1], me[id[1]], id) /\ ~Knows(me[id[1]], id) /\ left'.removals = left.removals
      [] what = "dispute" -> \E id \in db'.disputes \ db.disputes : ~Knows(me[id[1]], id)
      [] what = "dispute of a wanted block" -> \E id \in db'.disputes \ db.disputes : Knows(me[id[1]], id)
      [] what = "dead taken out" -> \E id \in Out : ~Alive(db, SessionOf(id)) /\ left'.removals = left.removals
      [] what = "two dead taken out in one" -> left'.removals = left.removals /\ \E x, y \in Out :
             x # y /\ ~Alive(db, SessionOf(x)) /\ ~Alive(db, SessionOf(y))
      [] what = "dead taken out by one who is not next" ->
             /\ Out # {} /\ \A id \in Out : ~Alive(db, SessionOf(id))
             /\ left'.removals = left.removals /\ db'.item.queue # <<>>
             /\ LET next == Head(db'.item.queue).block IN ~Knows(me[next[1]], next)
      [] what = "crash of a holder" -> \E p \in Processes : HoldsSome(me[p]) /\ me'[p].live = "down"
      [] what = "pause beyond the lease" -> \E p \in Processes : HoldsSome(me[p]) /\ HoldsSome(me'[p])
                                                                /\ me[p].left > 0 /\ me'[p].left = 0
      [] what = "session lost" -> \E p \in Processes : me[p].live = "yes" /\ me'[p].live \in {"no", "creating"}
      [] what = "next session" -> \E p \in Processes : me'[p].live = "yes" /\ me'[p].s > 1 /\ me[p] # me'[p]
      [] what = "burial" -> \E s \in SessionIds : Alive(db, s) /\ ~Alive(db', s) /\ ~IsUp(s[1])
      [] what = "burial of the living" -> \E s \in SessionIds : /\ Alive(db, s) /\ ~Alive(db', s) /\ IsUp(s[1])
                                                                /\ me'[s[1]] = me[s[1]] /\ me' # me
      [] what = "full" -> \E p \in Processes : \E b \in BlocksOf(me'[p]) : b.st = "DOOR"
      [] what = "room seen" -> \E p \in Processes : \E b \in BlocksOf(me[p]), x \in BlocksOf(me'[p]) :
                                   x.id = b.id /\ b.st = "DOOR" /\ x.st # "DOOR"
      [] what = "turned away" -> \E c \in Hasty : IsWaiting(c) /\ me'[Home[c]].live = "yes"
                                                  /\ ~WaitsIn(me'[Home[c]], c) /\ ~HoldsNow(c)
      [] what = "loss noticed at the release" -> \E p \in Processes : \E c \in Calls(p) :
             c.op = "leave" /\ ~c.ok /\ Index(me[p], c.id) # 0 /\ IndexOf(c.item, c.id) = 0
      [] what = "readers of two processes" -> \E x, y \in HeldTogether("shared") : x[1] # y[1]
      [] what = "readers of one block" -> \E p \in Processes : \E b \in BlocksOf(me'[p]) : Cardinality(b.has) > 1
      [] what = "reader behind a writer" -> Before("exclusive", "shared")
      [] what = "writer behind readers" -> Before("shared", "exclusive")
      [] what = "reader forced out beside another" ->
             \E p \in Processes : \E b \in BlocksOf(me'[p]) : b.mode = "shared" /\ b.id \in db'.overstayed /\ b.has # {}
      [] what = "downgrade" -> \E x \in db'.renamed \ db.renamed : IndexOf(db'.item, x[2]) # 0
                                   /\ Queue[IndexOf(db.item, x[1])].mode # db'.item.queue[IndexOf(db'.item, x[2])].mode
      [] what = "downgrade beside another of its process" ->
             \E p \in Processes : \E b \in BlocksOf(me'[p]), x \in BlocksOf(me'[p]) : b.turn /\ x.mode = "exclusive" /\ x.id # b.id
      [] what = "two permits" -> Cardinality(HeldTogether("permit")) = 2
      [] what = "permit waits" -> \E p \in Processes : \E b \in BlocksOf(me'[p]) : b.mode = "permit" /\ b.st = "WAITING"
      [] what = "other number refused" -> \E c \in (todo \ todo') \ Hasty : ~WaitsIn(me'[Home[c]], c) /\ ~HoldsNow(c)
      [] what = "raised" -> \E p \in Processes : \E b \in BlocksOf(me[p]) :
                                b.st = "WAITING" /\ db.item.permits \in 1 .. db'.item.permits - 1
                                /\ \E i \in DOMAIN Queue : Queue[i].block = b.id /\ HoldsAt([db.item EXCEPT !.permits = db'.item.permits], i)
      [] what = "lowered below what is held" -> Cardinality(HeldTogether("permit")) > db'.item.permits
      [] what = "reader beside an unknown mode" -> Before("shared", "unknown") \/ Before("unknown", "shared")
      [] what = "permit beside a reader" -> Before("shared", "permit") \/ Before("permit", "shared")
      [] what = "reader turned away" -> \E c \in Callers : Asked(c, "shared") /\ TurnedAway(c)
      [] what = "permit turned away" -> \E c \in Callers : Asked(c, "permit") /\ TurnedAway(c)
      [] what = "dead taken out before the living" ->
             left'.removals = left.removals /\ \E i, j \in DOMAIN Queue :
                 /\ i < j /\ HoldsAt(db.item, j) /\ Alive(db, SessionOf(Queue[j].block))
                 /\ Queue[i].block \in Out /\ ~Alive(db, SessionOf(Queue[i].block))
      [] what = "dead taken out behind the living" ->
             left'.removals = left.removals /\ \E i, j \in DOMAIN Queue :
                 /\ j < i /\ HoldsAt(db.item, j) /\ Alive(db, SessionOf(Queue[j].block))
                 /\ Queue[i].block \in Out /\ ~Alive(db, SessionOf(Queue[i].block))
      [] what = "dead writer taken out between readers" ->
             left'.removals = left.removals /\ \E i \in 2 .. Len(Queue) - 1 :
                 /\ Queue[i - 1].mode = "shared" /\ Queue[i].mode = "exclusive" /\ Queue[i + 1].mode = "shared"
                 /\ Queue[i].block \in Out /\ ~Alive(db, SessionOf(Queue[i].block)) /\ Out = {Queue[i].block}
      [] what = "dispute behind the first" -> \E id \in db'.disputes \ db.disputes : IndexOf(db.item, id) > 1

ASSUME \A i \in DOMAIN Mechanisms : TLCSet(i, 0)

(* The others need callers that do not all want the lock alone. *)
OfLoneHolders == CHOOSE i \in DOMAIN Mechanisms : Mechanisms[i] = "loss noticed at the release"

(* Always true. *)
Noted ==
    \A i \in DOMAIN Mechanisms :
        \/ TLCGet(i) = 1
        \/ i > OfLoneHolders /\ Wants = AllAlone
        \/ Happens(Mechanisms[i]) => TLCSet(i, 1) /\ PrintT("happened: " \o Mechanisms[i])
================================================================================
