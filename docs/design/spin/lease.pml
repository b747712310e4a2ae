/* A lease that is two rows, `owner` and `beat`, and two nodes that take it from each other. A node may be paused at any step for
 * any time: the model has no clock. "The beat did not change for the length of the lease" is "it was the same in two looks", so here
 * a lease may be taken from an owner that is alive. Both nodes can believe to be the owner.
 *
 * The work is the kind that needs the lease: read a number, write it plus one, without a guard on the number.
 *
 * Checked: the number counts the commits that were acknowledged, whoever did them.
 *
 * Seeded errors: NO_FENCE (the work's commit carries no guard on the owner row), BLIND_TAKEOVER (who takes the lease
 * does not guard on the owner row that it saw, so that two take it at once).
 */
#define STEPS 5

byte owner = 0;          /* who; 0: nobody */
byte owner_version = 0;
byte beat = 0;
byte number = 0, acknowledged = 0;

proctype Node(byte me) {
  byte seen_version, seen_beat, held, value, left = STEPS;
  bool mine = false;
  do
  :: left == 0 -> break
  :: left > 0 && !mine ->
     left--;
     atomic { seen_version = owner_version; seen_beat = beat }
     /* ... the length of the lease passes, or the node only believes so ... */
     atomic {
       if
#ifdef BLIND_TAKEOVER
       :: beat == seen_beat -> owner = me
#else
       :: beat == seen_beat && owner_version == seen_version -> owner = me; owner_version++
#endif
          held = owner_version; mine = true
       :: else
       fi
     }
  :: left > 0 && mine ->  /* a beat, guarded by the owner row */
     left--;
     atomic {
       if
       :: owner_version == held -> beat++
       :: else -> mine = false
       fi
     }
  :: left > 0 && mine ->  /* a piece of work: read, then commit; anything may happen between */
     left--;
     value = number;
     atomic {
       if
#ifdef NO_FENCE
       :: true ->
#else
       :: owner_version == held ->
#endif
          number = value + 1; acknowledged++
       :: else -> mine = false
       fi
     }
  od
}

init {
  atomic { run Node(1); run Node(2) }
  (_nr_pr == 1);
  assert(number == acknowledged)
}
