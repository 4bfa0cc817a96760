--------------------------------- MODULE Model ---------------------------------
(* The configurations that TLC runs: who calls from where; and what happened in them. *)
EXTENDS DynamoLock, TLC

CONSTANTS a1, a2, b1

TwoAndOne == (a1 :> 1) @@ (a2 :> 1) @@ (b1 :> 2)
OneEach == (a1 :> 1) @@ (b1 :> 2)
OneOfThree == OneEach @@ (a2 :> 3)

a2AfterB1 == {<<b1, a2>>}

OneSession == <<1, 1>>
TwoAndOneSession == <<2, 1>>
ThreeAndOneSession == <<3, 1>>
OneSessionOfThree == <<1, 1, 1>>

-------------------------------------------------------------------------------
(* What the configurations are there for. A promise that holds where nothing ever happened is worth nothing, so TLC
   says of each of these when it first sees a step that does it. *)

BlocksOf(m) == Range(m.blocks)
Queue == db.item.queue
FirstBlock(item) == IF item.queue = <<>> THEN None ELSE Head(item.queue).block
Calls(p) == {c \in me[p].calls \ me'[p].calls : c.at = "answered" /\ me'[p].live = "yes" /\ left'.faults = left.faults}
Heard(op, ok) == \E p \in Processes : \E c \in Calls(p) : c.op = op /\ c.ok = ok
LateLands(op) == \E c \in late \ late' : c.op = op /\ db'.strays # db.strays /\ db'.item # db.item
(* The entries that the step takes out. *)
Out == {e.block : e \in Range(Queue)} \ {e.block : e \in Range(db'.item.queue)}

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
    "full", "room seen", "turned away", "loss noticed at the release" >>

Happens(what) ==
    CASE what = "passed on in a block" -> \E p \in Processes : Granted(p) /\ me[p].cur # Nobody /\ db'.item.queue = Queue
      [] what = "several wait in the queue" -> Len(db'.item.queue) = 3
      [] what = "given up" -> \E c \in Callers : /\ IsWaiting(c) /\ me'[Home[c]].live # "down"
                                                 /\ ~WaitsIn(me'[Home[c]], c) /\ me'[Home[c]].cur # c
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
                              /\ WaitsIn(me'[p], c) \/ me'[p].cur = c
                              /\ ~Knows(me'[p], b.id)
      [] what = "stray taken out" -> \E id \in Out : IsOwn(id[1], me[id[1]], id) /\ ~Knows(me[id[1]], id) /\ left' = left
      [] what = "dispute" -> \E id \in db'.disputes \ db.disputes : ~Knows(me[id[1]], id)
      [] what = "dispute of a wanted block" -> \E id \in db'.disputes \ db.disputes : Knows(me[id[1]], id)
      [] what = "dead taken out" -> \E id \in Out : ~Alive(db, SessionOf(id)) /\ left' = left
      [] what = "two dead taken out in one" -> left' = left /\ \E x, y \in Out :
             x # y /\ ~Alive(db, SessionOf(x)) /\ ~Alive(db, SessionOf(y))
      [] what = "dead taken out by one who is not next" ->
             /\ Out # {} /\ \A id \in Out : ~Alive(db, SessionOf(id))
             /\ left' = left /\ db'.item.queue # <<>>
             /\ LET next == Head(db'.item.queue).block IN ~Knows(me[next[1]], next)
      [] what = "crash of a holder" -> \E p \in Processes : me[p].cur # Nobody /\ me'[p].live = "down"
      [] what = "pause beyond the lease" -> \E p \in Processes : me[p].cur # Nobody /\ me'[p].cur # Nobody
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
                                                  /\ ~WaitsIn(me'[Home[c]], c) /\ me'[Home[c]].cur # c
      [] what = "loss noticed at the release" -> \E p \in Processes : \E c \in Calls(p) :
             c.op = "leave" /\ ~c.ok /\ Index(me[p], c.id) # 0 /\ IndexOf(c.item, c.id) = 0

ASSUME \A i \in DOMAIN Mechanisms : TLCSet(i, 0)

(* Always true. *)
Noted ==
    \A i \in DOMAIN Mechanisms :
        \/ TLCGet(i) = 1
        \/ Happens(Mechanisms[i]) => TLCSet(i, 1) /\ PrintT("happened: " \o Mechanisms[i])
================================================================================
