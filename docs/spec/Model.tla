--------------------------------- MODULE Model ---------------------------------
EXTENDS DynamoLock, TLC
CONSTANTS a1, a2, b1
TwoAndOne == (a1 :> 1) @@ (a2 :> 1) @@ (b1 :> 2)
BothOnOne == (a1 :> 1) @@ (a2 :> 1)
OneEach == (a1 :> 1) @@ (b1 :> 2)
OneOfThree == (a1 :> 1) @@ (b1 :> 2) @@ (a2 :> 3)
OneSession == <<1, 1>>
TwoAndOneSession == <<2, 1>>
OneSessionOfThree == <<1, 1, 1>>
Noted == TRUE
================================================================================
