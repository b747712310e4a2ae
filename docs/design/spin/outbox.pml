/* Global indexes by outbox rows beside the item: two nodes that write one item, each of which may end at any step; their own
 * propagation; and a sweeper that takes any node for dead at any time, also one that is alive. The model has no clock.
 *
 * The item's value (1 or 2; 0: no item) is its key in the index. A commit of a write is one step: guard on the item, fence, item, outbox row.
 *
 * Checked: in the end, when nobody does anything any more, an outbox row that is still there is of a node whose mark is there (the
 * next sweep finds it); and when these rows are applied, the index has the row that the item wants and no other, and counts it once.
 *
 * Seeded errors: NO_FENCE (the sweeper does not shut out commits that are on their way), NO_REMARK (a mark counts for later revisions
 * too), BLIND_UNMARK (the sweeper erases a mark that was put again), NO_ROW_GUARD (index rows are changed without a guard on
 * them), NO_LEFT_KEY (the outbox row does not name the row that the item leaves).
 */
#define NODES 2
#define WRITES 2

byte item = 0, item_version = 0;
bool row[3], mark[NODES], there[NODES * WRITES];  /* rows of the index; marks; outbox rows, a place for each write */
byte row_version[3], mark_version[NODES], left[NODES * WRITES];
byte revision = 0, fence = 0;
short count = 0;

#ifdef NO_ROW_GUARD
#define HOLDS(changes, key, version) true
#else
#define HOLDS(changes, key, version) (!changes || row_version[key] == version)
#endif

/* Reads the item and the two rows that may have to change, then commits. After a conflict: again. */
inline propagate(slot, p_version, p_wanted, p_left, p_wanted_version, p_left_version, p_puts, p_erases) {
  do
  :: !there[slot] -> break
  :: there[slot] ->
     atomic { p_version = item_version; p_wanted = item; p_left = left[slot] }
     atomic {
       p_puts = (p_wanted != 0 && !row[p_wanted]); p_wanted_version = row_version[p_wanted];
       p_erases = (p_left != 0 && p_left != p_wanted && row[p_left]); p_left_version = row_version[p_left]
     }
     atomic {
       if
       :: item_version == p_version && HOLDS(p_puts, p_wanted, p_wanted_version) && HOLDS(p_erases, p_left, p_left_version) ->
          if :: p_puts -> row[p_wanted] = true; row_version[p_wanted]++; count++ :: else fi;
          if :: p_erases -> row[p_left] = false; row_version[p_left]++; count-- :: else fi;
          there[slot] = false
       :: else
       fi;
       p_version = 0; p_wanted = 0; p_left = 0; p_wanted_version = 0; p_left_version = 0; p_puts = false; p_erases = false
     }
  od
}

#define ENDS if :: goto over :: skip fi

proctype Node(byte me) {
  byte known = 0, marked_for = 0, seen, before, write = 0, slot;
  bool marked = false, puts, erases;
  byte version, wanted, leaves, wanted_version, left_version;
  do
  :: write == WRITES - me -> break  /* the second node writes once */
  :: else ->
     atomic { seen = item_version; before = item }
     if
#ifdef NO_REMARK
     :: !marked ->
#else
     :: !marked || marked_for < known ->
#endif
        atomic { mark[me] = true; mark_version[me]++; marked = true; marked_for = known }
     :: else
     fi;
     ENDS;
     slot = me * WRITES + write;
     atomic {
       if
       :: known < fence -> known = revision
       :: known >= fence && item_version != seen
       :: known >= fence && item_version == seen ->
          item = 1 + (me + write + before) % 2;
          item_version++;
          there[slot] = true;
#ifdef NO_LEFT_KEY
          left[slot] = 0;
#else
          left[slot] = before;
#endif
          write++
       fi;
       seen = 0; before = 0
     }
     ENDS;
     if
     :: me == 0 && there[slot] -> propagate(slot, version, wanted, leaves, wanted_version, left_version, puts, erases)
     :: skip  /* later, or another does it: the second node leaves all of it to the sweeper */
     fi;
     if
     :: atomic { marked && !there[me * WRITES] && !there[me * WRITES + 1] -> mark[me] = false; mark_version[me]++; marked = false }
     :: skip
     fi
  od;
over: skip
}

/* Of the first node's mark: what it does is the same for each. */
proctype Sweeper() {
  byte seen, slot, version, wanted, leaves, wanted_version, left_version;
  bool puts, erases;
  if
  :: atomic { mark[0] -> seen = mark_version[0] }
  :: goto over
  fi;
#ifndef NO_FENCE
  revision++;
  fence = revision;
#endif
  for (slot : 0 .. NODES * WRITES - 1) {
    propagate(slot, version, wanted, leaves, wanted_version, left_version, puts, erases)
  }
  atomic {
    if
#ifdef BLIND_UNMARK
    :: true -> mark[0] = false; mark_version[0]++
#else
    :: mark_version[0] == seen -> mark[0] = false; mark_version[0]++
    :: else
#endif
    fi
  }
over: skip
}

init {
  byte slot, version, wanted, leaves, wanted_version, left_version;
  bool puts, erases;
  atomic { run Node(0); run Node(1); run Sweeper() }
  (_nr_pr == 1);
  d_step {
    slot = 0;
    do
    :: slot == NODES * WRITES -> break
    :: else -> assert(!there[slot] || mark[slot / WRITES]); slot++
    od
  }
  for (slot : 0 .. NODES * WRITES - 1) {
    propagate(slot, version, wanted, leaves, wanted_version, left_version, puts, erases)
  }
  assert(row[1] == (item == 1) && row[2] == (item == 2));
  assert(count == (item != 0 -> 1 : 0))
}
