--------------------------------- MODULE Model ---------------------------------
(* The configurations that TLC runs: who calls from where. *)
EXTENDS DynamoLock, TLC

CONSTANTS a1, a2, b1

TwoAndOne == (a1 :> 1) @@ (a2 :> 1) @@ (b1 :> 2)
BothOnOne == (a1 :> 1) @@ (a2 :> 1)
OneEach == (a1 :> 1) @@ (b1 :> 2)

OneSession == <<1, 1>>
TwoAndOneSession == <<2, 1>>
TwoSessions == <<2, 2>>

Alike == Permutations({a1, a2})
================================================================================
