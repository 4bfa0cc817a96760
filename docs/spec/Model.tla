--------------------------------- MODULE Model ---------------------------------
(* The configurations that TLC runs: who calls from where; and what happened in them. *)
EXTENDS DynamoLock, TLC

CONSTANTS a1, a2, b1

TwoAndOne == (a1 :> 1) @@ (a2 :> 1) @@ (b1 :> 2)
TwoAndTwo == TwoAndOne @@ ("b2" :> 2)
BothOnOne == (a1 :> 1) @@ (a2 :> 1)
ThreeOnOne == BothOnOne @@ (b1 :> 1)
ThreeAndOne == ThreeOnOne @@ ("b2" :> 2)
OneEach == (a1 :> 1) @@ (b1 :> 2)

a2AfterB1 == {<<b1, a2>>}

OneSession == <<1, 1>>
TwoAndOneSession == <<2, 1>>
TwoSessions == <<2, 2>>

Alike == Permutations({a1, a2})

-------------------------------------------------------------------------------
(* What the configurations are there for. A promise that holds where nothing ever happened is worth nothing, so TLC
   says of each of these when it first sees a step that does it. *)

Of(p, id) == me[p].live = "yes" /\ me[p].s = id[2] /\ id[1] = p
Stays(p) == me'[p] = me[p]
Changed == db'.holder # db.holder /\ db.holder # None /\ db'.holder # None
SameSession == SessionOf(db.holder) = SessionOf(db'.holder)
BlocksOf(p) == {me[p].blocks[i] : i \in 1 .. Len(me[p].blocks)}

HeldKnowingly(p, id) == me[p].releasing = id \/ \E b \in BlocksOf(p) : b.id = id /\ b.st \in {"HOLDING", "CHANGING"}

(* The holder is removed by its own process, which had not been told that it was. *)
Undone ==
    /\ db.holder # None /\ db'.holder = None
    /\ late' = late /\ IsUp(db.holder[1]) /\ ~HeldKnowingly(db.holder[1], db.holder)

(* A session's item is deleted by another process. *)
Buried(s) == Alive(db, s) /\ ~Alive(db', s) /\ Stays(s[1]) /\ late' = late

(* A row of a live session whose turn has not come is deleted by another process. *)
Evicted(row) ==
    /\ row \notin db'.rows /\ Stays(row.id[1]) /\ me' # me /\ late' = late
    /\ Alive(db, SessionOf(row.id)) /\ row.last > db.serving /\ db'.serving = db.serving

IsWaiting(b) == b.st = "QUEUED" /\ b.cs # <<>>

(* The hand-overs whose answers process p has just been told. *)
HandOversHeard(p) ==
    {c \in me[p].calls \ me'[p].calls :
        c.op = "handOver" /\ c.at = "answered" /\ me'[p].live # "down" /\ faults' = faults}

(* The extensions whose answers process p has just been told, to callers that still wait for them. *)
ExtensionsHeard(p) ==
    {c \in me[p].calls \ me'[p].calls :
        /\ c.op = "extend" /\ c.at = "answered" /\ me'[p].live # "down" /\ faults' = faults
        /\ me[p].numbering.id = c.other /\ me[p].numbering.cs # <<>>}

LateLands(op) == \E c \in late \ late' : c.op = op /\ [db' EXCEPT !.strays = db.strays] # db

Mechanisms == <<
    "block of two", "passed on in a block",
    "hand-over", "hand-over to two blocks", "hand-over answered early", "hand-over with a rename", "hand-over refused",
    "hand-over refused early", "forgotten hand-over", "forgotten hand-over lands",
    "extension", "extension refused", "extension of a block that is renamed", "extension after the lock was let go",
    "rename", "claim without a row", "numbers overdue",
    "new numbers", "given up", "undo",
    "crash of a holder", "pause beyond the lease", "session lost", "next session",
    "burial", "burial of the living", "claim from the dead",
    "eviction of a stray row", "eviction of a live block", "dispute", "release on a dispute",
    "twice", "late try", "late enter", "late claim", "late hand-over", "late extension", "late release", "torn look" >>

Happens(what) ==
    CASE what = "block of two"            -> \E p \in Processes : Granted(p) /\ Head(me'[p].blocks).cs # <<>>
      [] what = "passed on in a block"    -> \E p \in Processes : Granted(p) /\ me[p].cur # Nobody /\ db'.holder = db.holder
      [] what = "hand-over"               -> /\ db.holder # None /\ db'.holder = db.holder
                                             /\ db'.serving # db.serving /\ db'.tail = db.tail
      [] what = "hand-over to two blocks" -> \E p \in Processes : \E c \in HandOversHeard(p) :
                                                c.ok /\ Cardinality(Joining(me[p])) = 2
      [] what = "hand-over answered early" -> \E p \in Processes : \E c \in HandOversHeard(p) :
                                                c.ok /\ me[p].cur # Nobody /\ me'[p].cur = me[p].cur
      [] what = "hand-over with a rename" -> Changed /\ SameSession /\ db'.serving # db.serving
      [] what = "hand-over refused"       -> \E p \in Processes : \E c \in HandOversHeard(p) :
                                                ~c.ok /\ IsHandOver(me[p], c)
      [] what = "hand-over refused early" -> \E p \in Processes : \E c \in HandOversHeard(p) :
                                                ~c.ok /\ IsHandOver(me[p], c) /\ me[p].cur # Nobody
      [] what = "forgotten hand-over"     -> \E p \in Processes : ForgetsHandOver(p)
      [] what = "forgotten hand-over lands" -> \E p \in Processes : \E c \in me[p].calls :
                                                /\ c.op = "handOver" /\ ~IsHandOver(me[p], c) /\ Of(p, c.other)
                                                /\ c.at = "sent" /\ c \notin me'[p].calls
                                                /\ db'.serving # db.serving
      [] what = "extension"               -> \E p \in Processes : \E c \in ExtensionsHeard(p) :
                                                c.ok /\ Len(me'[p].blocks) = 1 /\ me'[p].blocks[1].id = c.id
      [] what = "extension refused"       -> \E p \in Processes : \E c \in ExtensionsHeard(p) :
                                                ~c.ok /\ me'[p].numbering.op = "take"
      [] what = "extension of a block that is renamed" -> \E p \in Processes : \E c \in ExtensionsHeard(p) :
                                                c.ok /\ Len(me[p].blocks) = 1 /\ me[p].blocks[1].st = "CHANGING"
      [] what = "extension after the lock was let go" -> \E p \in Processes : \E c \in ExtensionsHeard(p) :
                                                c.ok /\ me[p].blocks = <<>>
      [] what = "rename"                  -> Changed /\ SameSession /\ db'.serving = db.serving
      [] what = "claim without a row"     -> db'.holder # None /\ db'.holder # db.holder /\ db'.tail = db'.serving
                                             /\ \E p \in Processes : \E b \in BlocksOf(p) :
                                                    b.id = db'.holder /\ b.st = "CLAIMING" /\ ~b.row
      [] what = "numbers overdue"         -> \E p \in Processes : NumbersOverdue(p)
      [] what = "new numbers"             -> \E p \in Processes : \E b \in BlocksOf(p) :
                                                /\ IsWaiting(b) /\ Of(p, b.id) /\ me'[p].s = me[p].s /\ me'[p].live = "yes"
                                                /\ ~\E i \in 1 .. Len(me'[p].blocks) : me'[p].blocks[i].id = b.id
                                                /\ \E i \in 1 .. Len(b.cs) : WaitsIn(me'[p], b.cs[i].who)
      [] what = "given up"                -> \E c \in Callers : /\ Waits(c) /\ IsUp(Home[c]) /\ me'[Home[c]].live # "down"
                                                                /\ ~WaitsIn(me'[Home[c]], c) /\ me'[Home[c]].cur # c
      [] what = "undo"                    -> Undone
      [] what = "crash of a holder"       -> \E p \in Processes : me[p].cur # Nobody /\ me'[p].live = "down"
      [] what = "pause beyond the lease"  -> \E p \in Processes : me[p].cur # Nobody /\ me'[p].cur # Nobody
                                                                /\ me[p].left > 0 /\ me'[p].left = 0
      [] what = "session lost"            -> \E p \in Processes : me[p].live = "yes" /\ me'[p].live = "no"
      [] what = "next session"            -> \E p \in Processes : me[p].live # "yes" /\ me'[p].live = "yes"
      [] what = "burial"                  -> \E s \in SessionIds : Buried(s) /\ ~IsUp(s[1])
      [] what = "burial of the living"    -> \E s \in SessionIds : Buried(s) /\ IsUp(s[1]) /\ me[s[1]].s = s[2]
      [] what = "claim from the dead"     -> Changed /\ ~SameSession
      [] what = "eviction of a stray row" -> \E r \in db.rows : Evicted(r) /\ ~Knows(me[r.id[1]], r.id)
      [] what = "eviction of a live block" -> \E r \in db.rows : Evicted(r) /\ \E b \in BlocksOf(r.id[1]) :
                                                                                    b.id = r.id /\ IsWaiting(b)
      [] what = "dispute"                 -> db'.disputes \ db.disputes # {}
      [] what = "release on a dispute"    -> Undone /\ db.holder \in db.disputes
      [] what = "twice"                   -> \E c \in late' \ late : \E p \in Processes :
                                                \E x \in me'[p].calls \ me[p].calls :
                                                    x.op = c.op /\ x.id = c.id /\ x.at = "answered"
      [] what = "late try"                -> LateLands("try")
      [] what = "late enter"              -> LateLands("enter")
      [] what = "late claim"              -> LateLands("claim")
      [] what = "late hand-over"          -> LateLands("handOver")
      [] what = "late extension"          -> LateLands("extend")
      [] what = "late release"            -> LateLands("release")
      [] what = "torn look"               -> \E p \in Processes : \E c \in me[p].calls :
                                                /\ c.op = "look" /\ c.at = "rows" /\ c \notin me'[p].calls
                                                /\ c.holder # db.holder /\ IsUp(p) /\ me'[p].live # "down"

ASSUME \A i \in DOMAIN Mechanisms : TLCSet(i, 0)

(* Always true. *)
Noted ==
    \A i \in DOMAIN Mechanisms :
        \/ TLCGet(i) = 1
        \/ Happens(Mechanisms[i]) => TLCSet(i, 1) /\ PrintT("happened: " \o Mechanisms[i])
================================================================================
