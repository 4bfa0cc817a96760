---------------------------------- MODULE Gate ----------------------------------
(***************************************************************************)
(* Two versions at the same locks. The later one may write entries and     *)
(* sessions that the older one does not understand, where a number in the  *)
(* item, the gate, keeps the older one out. Who is told to write them may  *)
(* change at any time, and for one process after the other. Every edit may *)
(* land at any time after it was sent, or never. Who holds a lock does not *)
(* matter here.                                                            *)
(***************************************************************************)
EXTENDS Item, TLC

CONSTANTS
    Locks,
    Older,    \* the processes of the older version
    Later,    \* those of the later one
    Edits,    \* how many each sends
    Begins    \* how many sessions each goes through

VARIABLES
    db,     \* for each lock: its item, and whether it has the gate
    me,     \* s: its session; isGated: whether that has the gate; isOn: whether it shall write the new form; sent: how many edits
    sent    \* edits that may still land

vars == <<db, me, sent>>

Processes == Older \cup Later

(* What the older version does not understand, is a mode of its own here: entries in the new form, and those of sessions in it. *)
IsNew(entry) == entry.mode \in {"new", "new session"}
IsIn(p, l) == \E i \in DOMAIN db[l].item.queue : db[l].item.queue[i].number[1] = p

Init ==
    /\ db = [l \in Locks |-> [item |-> Absent, gate |-> FALSE]]
    /\ me = [p \in Processes |-> [s |-> 1, isGated |-> FALSE, isOn |-> FALSE, sent |-> 0]]
    /\ sent = {}

(* -- Edits: asks: what the gate must be; sets: what it is afterwards, if the queue was empty -- *)

Either == BOOLEAN
Mode(p, form) == IF me[p].isGated THEN "new session" ELSE IF form THEN "new" ELSE "W"
Number(p) == <<p, me[p].s, me[p].sent + 1>>

(* Into whatever queue there is, in the form that its gate says. *)
Enter(p, l, form) ==
    [lock |-> l, asks |-> {form}, sets |-> Either,
     e |-> [NoEdit EXCEPT !.append = <<Entry(Number(p), Mode(p, form), 1)>>, !.bound = 9, !.base = 1]]

(* Into an empty queue, which gets the gate or loses it with this. *)
Turn(p, l, form) ==
    [lock |-> l, asks |-> Either, sets |-> {form},
     e |-> [NoEdit EXCEPT !.append = <<Entry(Number(p), Mode(p, form), 1)>>, !.bound = 1, !.base = 1]]

(* Out at any time. *)
LeavingAsks(p) == Either
Leave(p, l, i) ==
    [lock |-> l, asks |-> LeavingAsks(p), sets |-> Either,
     e |-> [NoEdit EXCEPT !.out = (i :> db[l].item.queue[i]), !.exists = TRUE]]

Passes(edit) == db[edit.lock].gate \in edit.asks /\ Applies(db[edit.lock].item, edit.e)

(* -- What processes do -- *)

Send(p, edit) ==
    /\ me[p].sent < Edits
    /\ me' = [me EXCEPT ![p].sent = @ + 1]
    /\ sent' = sent \cup {edit}
    /\ UNCHANGED db

(* The form that a process may enter with: the older version has one. A session with the gate enters no lock without it. *)
Forms(p) == IF p \in Older THEN {FALSE} ELSE IF me[p].isGated THEN {TRUE} ELSE Either
(* What it wants of an empty queue. *)
Turns(p) == IF p \in Older THEN {} ELSE Forms(p) \cap {me[p].isOn}

Enters == \E p \in Processes, l \in Locks : ~IsIn(p, l) /\ \E form \in Forms(p) : Send(p, Enter(p, l, form))
TurnsIt == \E p \in Processes, l \in Locks : ~IsIn(p, l) /\ \E form \in Turns(p) : Send(p, Turn(p, l, form))
Leaves ==
    \E p \in Processes, l \in Locks : \E i \in DOMAIN db[l].item.queue :
        db[l].item.queue[i].number[1] = p /\ Send(p, Leave(p, l, i))

Lands ==
    \E edit \in sent :
        /\ sent' = sent \ {edit}
        /\ db' = IF Passes(edit)
                 THEN [db EXCEPT ![edit.lock] = [item |-> Applied(@.item, edit.e),
                                                 gate |-> IF edit.sets = Either THEN @.gate ELSE TRUE \in edit.sets]]
                 ELSE db
        /\ UNCHANGED me

Switches ==
    \E p \in Later :
        /\ me[p].sent < Edits
        /\ me' = [me EXCEPT ![p].isOn = ~@]
        /\ UNCHANGED <<db, sent>>

(* Edits of the session before may still land. *)
BeginsAnew ==
    \E p \in Later :
        /\ me[p].s < Begins /\ me[p].sent < Edits
        /\ me' = [me EXCEPT ![p].s = @ + 1, ![p].isGated = me[p].isOn]
        /\ UNCHANGED <<db, sent>>

Next == Enters \/ TurnsIt \/ Leaves \/ Lands \/ Switches \/ BeginsAnew
Safely == Init /\ [][Next]_vars

-------------------------------------------------------------------------------

(* Neither before nor behind an entry, or an entry of a session, that it does not understand. *)
TheOlderUnderstandsItsQueue ==
    \A l \in Locks : \A i, j \in DOMAIN db[l].item.queue :
        db[l].item.queue[i].number[1] \in Older => ~IsNew(db[l].item.queue[j])

TheGateSaysWhatStands == \A l \in Locks : \A i \in DOMAIN db[l].item.queue : IsNew(db[l].item.queue[i]) = db[l].gate

WhoIsInCanLeave ==
    \A l \in Locks : \A i \in DOMAIN db[l].item.queue : Passes(Leave(db[l].item.queue[i].number[1], l, i))

TheGateStaysWhileSomebodyQueues == [][\A l \in Locks : db'[l].gate # db[l].gate => db[l].item.queue = <<>>]_vars

Noted == TRUE
================================================================================
