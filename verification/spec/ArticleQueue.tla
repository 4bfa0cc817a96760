------------------------------ MODULE ArticleQueue ------------------------------
(***************************************************************************)
(* The queue of Michael P. Scott's article "Distributed Locking in         *)
(* DynamoDB" (Formidable, 30 June 2020), from which this library started:  *)
(* a client takes a number from an atomic counter, writes a row under that *)
(* number, and proceeds when no row with a smaller number is left that it  *)
(* does not take for expired. It has two holes, and TLC finds each:        *)
(*                                                                         *)
(*   Gap   a client may stall between its number and its row;              *)
(*   Skew  whether a row is expired is asked of the reader's own clock.    *)
(*                                                                         *)
(* Without either it is safe, so there is nothing else to blame.           *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS
    Clients,
    Fast,     \* clients whose clocks are ahead
    Skew,     \* by how much
    Life,     \* how long a row is good without being renewed
    Gap,      \* whether number and row are two steps, as in the article
    Until     \* how long we look

VARIABLES tail, rows, at, number, now

vars == <<tail, rows, at, number, now>>

Clock(c) == now + (IF c \in Fast THEN Skew ELSE 0)
Row(c) == [number |-> number[c], expires |-> Clock(c) + Life]
Others(c) == {r \in rows : r.number # number[c]}

Init ==
    /\ tail = 0 /\ rows = {} /\ now = 0
    /\ at = [c \in Clients |-> "outside"]
    /\ number = [c \in Clients |-> 0]

TakeNumber(c) ==
    /\ at[c] = "outside"
    /\ tail' = tail + 1
    /\ number' = [number EXCEPT ![c] = tail + 1]
    /\ IF Gap
       THEN at' = [at EXCEPT ![c] = "numbered"] /\ UNCHANGED rows
       ELSE /\ at' = [at EXCEPT ![c] = "queued"]
            /\ rows' = rows \cup {[number |-> tail + 1, expires |-> Clock(c) + Life]}
    /\ UNCHANGED now

WriteRow(c) ==
    /\ at[c] = "numbered"
    /\ at' = [at EXCEPT ![c] = "queued"]
    /\ rows' = rows \cup {Row(c)}
    /\ UNCHANGED <<tail, number, now>>

Proceed(c) ==
    /\ at[c] = "queued"
    /\ \A r \in Others(c) : r.number < number[c] => r.expires < Clock(c)
    /\ at' = [at EXCEPT ![c] = "inside"]
    /\ UNCHANGED <<tail, rows, number, now>>

Renew(c) ==
    /\ at[c] \in {"queued", "inside"}
    /\ rows' = Others(c) \cup {Row(c)}
    /\ UNCHANGED <<tail, at, number, now>>

Leave(c) ==
    /\ at[c] = "inside"
    /\ at' = [at EXCEPT ![c] = "done"]
    /\ rows' = Others(c)
    /\ UNCHANGED <<tail, number, now>>

(* Nobody is late in renewing: these clients do all that the article asks of them. *)
Tick ==
    /\ now < Until
    /\ \A c \in Clients : at[c] \in {"queued", "inside"} =>
           \E r \in rows : r.number = number[c] /\ r.expires > Clock(c) + 1
    /\ now' = now + 1
    /\ UNCHANGED <<tail, rows, at, number>>

Next ==
    \/ \E c \in Clients : TakeNumber(c) \/ WriteRow(c) \/ Proceed(c) \/ Renew(c) \/ Leave(c)
    \/ Tick

Spec == Init /\ [][Next]_vars

MutualExclusion == \A c, d \in Clients : at[c] = "inside" /\ at[d] = "inside" => c = d
=================================================================================
