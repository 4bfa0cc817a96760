--------------------------------- MODULE Item ---------------------------------
(***************************************************************************)
(* The lock item, and what can be read off it: who holds the lock, with    *)
(* which ticket; and the one kind of write, the edit. Plain functions.     *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Max(S) == CHOOSE x \in S : \A y \in S : x >= y
Range(seq) == {seq[i] : i \in DOMAIN seq}
None == <<>>

(* A number is <<process, which of its sessions, count>>. Modes: W exclusive, R shared, P permit, kept. *)
Entry(number, mode, slots) == [number |-> number, mode |-> mode, slots |-> slots]
SessionOf(number) == <<number[1], number[2]>>

(* One without a tail is not there. *)
Absent == [tail |-> 0, queue |-> <<>>, permits |-> 0, data |-> None]

Positions(item, number) == {i \in DOMAIN item.queue : item.queue[i].number = number}
Stands(item, number) == Positions(item, number) # {}
PositionOf(item, number) == Min(Positions(item, number))

-------------------------------------------------------------------------------
(*                                  Holding                                  *)

Compatible(ahead, behind) ==
    CASE behind.mode = "W" -> ahead.mode = "W" /\ SessionOf(ahead.number) = SessionOf(behind.number)
      [] behind.mode = "R" -> ahead.mode = "R"
      [] behind.mode = "P" -> ahead.mode = "P"
      [] OTHER -> FALSE

HoldsAt(item, i) ==
    /\ item.queue[i].mode # "kept"
    /\ \A j \in 1 .. i - 1 : Compatible(item.queue[j], item.queue[i])
    /\ item.queue[i].mode = "P" => i <= item.permits

RECURSIVE SlotsOf(_)
SlotsOf(queue) == IF queue = <<>> THEN 0 ELSE Head(queue).slots + SlotsOf(Tail(queue))

(* Of the k-th slot of the entry at place i. The last one is `tail` less the slots behind. *)
Ticket(item, i, k) ==
    item.tail - SlotsOf(SubSeq(item.queue, i + 1, Len(item.queue))) - item.queue[i].slots + k

-------------------------------------------------------------------------------
(*                                 The edit                                  *)

(* out      places and the entries there that are taken out
   put      at most one place, the entry there, and its new number: a reissue
   append   entries
   bound    how long the queue may be with them
   exists   whether the item must be there: the edit was made from one
   base     the tail of an item that is made by it
   permits  how many there must be, if that is said already; 0 for whatever there are
   data     None, or what is written *)
NoEdit == [out |-> <<>>, put |-> <<>>, append |-> <<>>, bound |-> 0, exists |-> FALSE, base |-> 0, permits |-> 0, data |-> None]

StandsAt(item, i, entry) == i \in DOMAIN item.queue /\ item.queue[i] = entry

Applies(item, e) ==
    /\ e.exists => item.tail > 0
    /\ \A i \in DOMAIN e.out : StandsAt(item, i, e.out[i])
    /\ \A i \in DOMAIN e.put : StandsAt(item, i, e.put[i].from)
    /\ e.append # <<>> => Len(item.queue) - Cardinality(DOMAIN e.out) + Len(e.append) <= e.bound
    /\ e.permits > 0 => item.permits \in {0, e.permits}

Applied(item, e) ==
    LET there == [i \in DOMAIN item.queue |-> IF i \in DOMAIN e.put THEN e.put[i].to ELSE item.queue[i]]
        staying == {i \in DOMAIN there : i \notin DOMAIN e.out}
        left == [n \in 1 .. Cardinality(staying) |->
                    there[CHOOSE i \in staying : Cardinality({j \in staying : j <= i}) = n]]
    IN  [tail |-> (IF item.tail = 0 THEN e.base ELSE item.tail) + Max({1, SlotsOf(e.append)}),
         queue |-> left \o e.append,
         permits |-> IF e.permits > 0 THEN e.permits ELSE item.permits,
         data |-> IF e.data # None THEN e.data ELSE item.data]
===============================================================================
