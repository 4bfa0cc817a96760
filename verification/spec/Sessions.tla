------------------------------- MODULE Sessions -------------------------------
(***************************************************************************)
(* The life of one session: its heartbeats, and a process that watches it. *)
(* DynamoLock.tla takes from here that nobody expires a session before it  *)
(* is over for its owner. Time is counted in ticks, and only as what is    *)
(* left of something; who takes no step while ticks go by is paused.       *)
(* Left out: clocks of different rates (the margin), expiry by wall clock  *)
(* (far beyond a lease), and that the call that begins a session is sent   *)
(* once, since the table cannot tell one that is over from one that is new.*)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    Lease,   \* in ticks
    Beats,   \* how many heartbeats are sent
    Faults,  \* how many of them are given up by their sender, or land twice, and may land at any time
    Mortal   \* whether the owner may crash

VARIABLES
    item,     \* the heartbeat in the session's item; Gone without an item
    owner,    \* up; left: of its validity; beat: its last one; call: the one under way
    watcher,  \* beat, left: the heartbeat seen, and what is left of the lease since; read, expire: the calls under way
    late      \* heartbeats that may still land

vars == <<item, owner, watcher, late>>

Gone == -1
NotSeen == -2
None == <<>>
Less(n) == IF n > 0 THEN n - 1 ELSE 0

Init ==
    /\ item = 0
    /\ owner = [up |-> TRUE, left |-> Lease, beat |-> 0, call |-> None, failed |-> 0]
    /\ watcher = [beat |-> NotSeen, left |-> 0, read |-> None, expire |-> None]
    /\ late = {}

(* -- The table -- *)

Beaten(beat) == IF item # Gone /\ item < beat THEN beat ELSE item

(* -- The owner -- *)

SendBeat ==
    /\ owner.up /\ owner.left > 0 /\ owner.call = None /\ owner.beat < Beats
    /\ owner' = [owner EXCEPT !.beat = @ + 1, !.call = [beat |-> owner.beat + 1, left |-> Lease, at |-> "sent", ok |-> FALSE]]
    /\ UNCHANGED <<item, watcher, late>>

BeatLands ==
    /\ owner.call # None /\ owner.call.at = "sent"
    /\ item' = Beaten(owner.call.beat)
    /\ \E copies \in {0, 1} :
        /\ owner.failed + copies <= Faults
        /\ owner' = [owner EXCEPT !.call.at = "answered", !.call.ok = item' = owner.call.beat, !.failed = @ + copies]
        /\ late' = IF copies = 1 THEN late \cup {owner.call.beat} ELSE late
    /\ UNCHANGED watcher

(* Valid from the sending. A session that is over does not come back, as its callers have heard; others would be safe if it did,
   so that has no tooth. *)
HearOfBeat ==
    /\ owner.up /\ owner.call # None /\ owner.call.at = "answered"
    /\ owner' = [owner EXCEPT !.call = None, !.left = IF owner.call.ok /\ @ > 0 THEN owner.call.left ELSE 0]
    /\ UNCHANGED <<item, watcher, late>>

BeatFails ==
    /\ owner.up /\ owner.call # None /\ owner.call.at = "sent" /\ owner.failed < Faults
    /\ owner' = [owner EXCEPT !.call = None, !.failed = @ + 1]
    /\ late' = late \cup {owner.call.beat}
    /\ UNCHANGED <<item, watcher>>

LandLate ==
    \E beat \in late :
        /\ item' = Beaten(beat)
        /\ late' = late \ {beat}
        /\ UNCHANGED <<owner, watcher>>

Crash ==
    /\ Mortal /\ owner.up
    /\ owner' = [owner EXCEPT !.up = FALSE, !.left = 0]
    /\ UNCHANGED <<item, watcher, late>>

(* -- The watcher -- *)

SendRead ==
    /\ watcher.read = None /\ watcher.expire = None /\ watcher.beat # Gone
    /\ watcher' = [watcher EXCEPT !.read = [beat |-> NotSeen, left |-> Lease]]
    /\ UNCHANGED <<item, owner, late>>

ReadLands ==
    /\ watcher.read # None /\ watcher.read.beat = NotSeen
    /\ watcher' = [watcher EXCEPT !.read.beat = item]
    /\ UNCHANGED <<item, owner, late>>

(* A lease begins with the arrival of the first answer that shows a heartbeat. *)
HearOfRead ==
    LET read == watcher.read
        w == [watcher EXCEPT !.read = None]
    IN  /\ read # None /\ read.beat # NotSeen
        /\ watcher' = IF read.beat # w.beat THEN [w EXCEPT !.beat = read.beat, !.left = Lease]
                      ELSE IF w.left = 0 THEN [w EXCEPT !.expire = [beat |-> w.beat]]
                      ELSE w
        /\ UNCHANGED <<item, owner, late>>

ExpireLands ==
    /\ watcher.expire # None
    /\ item' = IF item = watcher.expire.beat THEN Gone ELSE item
    /\ watcher' = [watcher EXCEPT !.expire = None]
    /\ UNCHANGED <<owner, late>>

(* -- Time -- *)

Tick ==
    /\ owner' = [owner EXCEPT !.left = Less(@), !.call = IF @ = None THEN None ELSE [@ EXCEPT !.left = Less(@)]]
    /\ watcher' = [watcher EXCEPT !.left = Less(@), !.read = IF @ = None THEN None ELSE [@ EXCEPT !.left = Less(@)]]
    /\ UNCHANGED <<item, late>>

Next ==
    \/ SendBeat \/ BeatLands \/ HearOfBeat \/ BeatFails \/ LandLate \/ Crash
    \/ SendRead \/ ReadLands \/ HearOfRead \/ ExpireLands
    \/ Tick

Safely == Init /\ [][Next]_vars
Spec == Safely /\ WF_vars(Tick) /\ WF_vars(SendRead) /\ WF_vars(ReadLands) /\ WF_vars(HearOfRead) /\ WF_vars(ExpireLands)

-------------------------------------------------------------------------------

TheLivingAreNotExpired == item = Gone => owner.left = 0
TheDeadStayDead == [][item = Gone => item' = Gone]_vars
TheDeadAreExpired == ~owner.up ~> item = Gone

Noted == TRUE
================================================================================
