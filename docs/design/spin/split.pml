/* A leaf L with a lower and an upper row splits into L and R, while two nodes write both rows and a reader reads the upper one.
 * Three nodes may split at once (writers help), each may stop at any step (and another one then finishes, being a writer that meets the frozen range),
 * and each may go on after any pause with what it knew before.
 *
 * Each operation on one leaf is one atomic step. A writer keeps the epoch and range of L as it last saw them, and
 * writes with a comparison of the epoch, as RADOS does it. Each write adds one to a row under a guard on its value.
 *
 * Checked: no write that was acknowledged is lost; a read never shows an older value than an earlier one did.
 *
 * Seeded errors: NO_EPOCH (writers compare the row only), BLIND_COPY (a copier does not compare that R is still closed),
 * SWITCH_FIRST (L gives up the rows before R is complete), WRITE_FROZEN (a writer does not respect the frozen range).
 */
#define WRITES 2

/* L */
byte epoch = 1;
bool frozen = false;     /* the header says: upper range is being moved to R */
bool switched = false;   /* the header says: upper range is R's */
byte lower = 0, upper = 0;
bool upper_there = true; /* whether L has the upper row */
/* R */
byte r_epoch = 0;        /* 0: closed, being filled */
byte r_upper = 0;
bool r_filled = false;

byte lower_acknowledged = 0, upper_acknowledged = 0;
byte writers = 2;

#define MAY_STOP if :: goto stopped :: skip fi

inline switch_step() {
  atomic {
    if
    :: epoch == 2 -> epoch = 3; frozen = false; switched = true; upper_there = false
    :: else
    fi
  }
}

/* The steps of the split, from whatever state the header shows. Never blocks; may end anywhere. */
inline split_steps() {
  /* 1. Freeze. */
  atomic {
    if
    :: !frozen && !switched && epoch == 1 -> frozen = true; epoch = 2
    :: else
    fi
  }
  MAY_STOP;
#ifdef SWITCH_FIRST
  switch_step();
  MAY_STOP;
#endif
  /* 2. Copy: a read of L, then a write of R. */
  atomic { is_there = upper_there && frozen; copied = upper }
  if
  :: is_there ->
     MAY_STOP;
     atomic {
       if
#ifdef BLIND_COPY
       :: true -> r_upper = copied; r_filled = true
#else
       :: r_epoch == 0 -> r_upper = copied; r_filled = true
#endif
       :: else
       fi
     }
  :: else                /* someone has switched L: R is complete */
  fi;
  MAY_STOP;
  /* 3. Open. */
  atomic {
    if
    :: r_epoch == 0 && r_filled -> r_epoch = 1
    :: else
    fi
  }
  MAY_STOP;
  /* 4. Switch. */
  switch_step()
}

proctype Splitter() {
  byte copied;
  bool is_there;
  split_steps();
stopped:
  skip
}

proctype Writer() {
  byte known_epoch = 1, old, left = WRITES;
  bool known_frozen = false, known_switched = false, to_upper, is_there;
  byte copied;
  do
  :: left == 0 -> break
  :: left > 0 ->
     if
     :: to_upper = true
     :: to_upper = false
     fi;
     if
     :: !to_upper || !known_switched ->
        /* Read the row and the header from L. */
        atomic {
          old = (to_upper -> upper : lower);
          is_there = !to_upper || upper_there;
          known_frozen = frozen; known_switched = switched;
#ifndef NO_EPOCH
          known_epoch = epoch
#endif
        }
        if
        :: !is_there -> skip                   /* the range is R's: again, there */
#ifndef WRITE_FROZEN
        :: is_there && to_upper && known_frozen ->
           /* Waits no longer and helps: does all steps, or stops in the middle for this time. */
           split_steps()
        :: is_there && !(to_upper && known_frozen) ->
#else
        :: is_there ->
#endif
           atomic {                            /* the commit */
             if
#ifdef NO_EPOCH
             :: to_upper && upper == old -> upper++; upper_acknowledged++; left--
             :: !to_upper && lower == old -> lower++; lower_acknowledged++; left--
#else
             :: to_upper && epoch == known_epoch && upper == old -> upper++; upper_acknowledged++; left--
             :: !to_upper && epoch == known_epoch && lower == old -> lower++; lower_acknowledged++; left--
#endif
             :: else                           /* refused: read again */
             fi
           }
        fi
     :: to_upper && known_switched ->
        old = r_upper;
        atomic {
          if
          :: r_epoch == 1 && r_upper == old -> r_upper++; upper_acknowledged++; left--
          :: else
          fi
        }
     fi;
  stopped:
     skip
  od;
  writers--
}

proctype Reader() {
  byte seen = 0, value, acknowledged;
  bool from_r;
  do
  :: writers == 0 -> break
  :: acknowledged = upper_acknowledged;
     if
     :: from_r -> value = r_upper
     :: !from_r ->
        atomic { value = (upper_there -> upper : seen); from_r = switched }
        if
        :: from_r -> value = r_upper
        :: else
        fi
     fi;
     assert(value >= seen && value >= acknowledged);
     seen = value
  od
}

init {
  atomic { run Splitter(); run Writer(); run Writer(); run Reader() }
  (_nr_pr == 1);
  assert(lower == lower_acknowledged);
  assert((switched -> r_upper : upper) == upper_acknowledged)
}
