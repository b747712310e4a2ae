/* Commits across two leaves, with coordinators that stop at any step, helpers that resolve what they
 * meet at any time (they never know whether the coordinator is dead), and a reader that validates.
 *
 * Leaf l has one row. Each transaction reads both rows and adds one to both, guarded by the
 * versions it read. The homes of the transactions differ, so that they meet crosswise. Each
 * operation on one leaf is one atomic step, as RADOS makes it.
 *
 * With SKEW each transaction writes the row of its home only, if the other row, which it guards, is still
 * zero: at most one may succeed.
 *
 * Checked: rows are equal and count the committed transactions when nothing is under way any more; a
 * transaction that was answered with success is in the rows; a validated read never sees half.
 *
 * Seeded errors: NO_FENCE (a helper sets back without stopping the decision), RECORD_FIRST (the record
 * is removed before the intents are settled), NO_SECOND_LOOK (a reader trusts a missing record),
 * NO_LOCK_ON_GUARDS (a row that is only guarded gets no intent).
 */
#define TRANSACTIONS 2
#define NONE 255

typedef Leaf {
  byte value;    /* of the row; of the old row while there is an intent */
  byte version;  /* number of the writing transaction, TRANSACTIONS at first */
  byte intent;   /* the transaction whose intent is here, or NONE */
  byte next;     /* its new value */
  bool record[TRANSACTIONS]; /* t T: this leaf is the home and T is committed */
  bool fence[TRANSACTIONS];  /* f >= T */
}
Leaf leaf[2];

bool committed[TRANSACTIONS]; /* ghost: the decision was applied */
byte answered = 0;            /* ghost: transactions that were answered with success */
byte running = TRANSACTIONS;

#ifdef SKEW
#define ADDED 0
#else
#define ADDED 1
#endif
#define HOME(t) (t % 2)
#define OTHER(t) (1 - (t % 2))

inline settle(l, t) {  /* under comparison with the intent */
  atomic {
    if
    :: leaf[l].intent == t ->
       leaf[l].intent = NONE;
#ifndef SKEW             /* there the intent is on a row that is only guarded, and keeps it as it was */
       leaf[l].value = leaf[l].next;
       leaf[l].version = t
#endif
    :: else
    fi
  }
}

inline set_back(l, t) {
  atomic {
    if
    :: leaf[l].intent == t -> leaf[l].intent = NONE
    :: else
    fi
  }
}

#define MAY_STOP if :: goto end :: skip fi

proctype Coordinator(byte t) {
  byte value[2], version[2];
  bool done = false;
  byte p = OTHER(t), h = HOME(t);
  /* Reads; each row by itself. An undecided intent is read as its old row: guards decide. */
  atomic { value[0] = leaf[0].value; version[0] = leaf[0].version }
  atomic { value[1] = leaf[1].value; version[1] = leaf[1].version }
#ifdef SKEW
  if
  :: value[p] != 0 -> goto end
  :: else
  fi;
#endif
  /* 1. Prepare. */
  atomic {
    if
    :: leaf[p].intent == NONE && leaf[p].version == version[p] ->
#ifndef NO_LOCK_ON_GUARDS
       leaf[p].intent = t;
       leaf[p].next = value[p] + ADDED;
#endif
       done = true
    :: else
    fi
  }
  if
  :: !done -> goto end
  :: done
  fi;
  MAY_STOP;              /* with its intent left behind */
  /* 2. Decide, and write the home's row in its final form. */
  done = false;
  atomic {
    if
    :: leaf[h].intent == NONE && leaf[h].version == version[h] && !leaf[h].fence[t] ->
       leaf[h].value = value[h] + 1;
       leaf[h].version = t;
       leaf[h].record[t] = true;
       committed[t] = true;
       done = true
    :: else
    fi
  }
  if
  :: !done -> set_back(p, t); goto end
  :: done
  fi;
  MAY_STOP;              /* committed, not answered */
  answered++;
  MAY_STOP;              /* answered, not settled */
  /* 3. Settle. */
#ifdef RECORD_FIRST
  leaf[h].record[t] = false;
#endif
  settle(p, t);
  MAY_STOP;              /* settled, the record is left behind */
  leaf[h].record[t] = false;
end:
  running--
}

/* Resolves what it finds, again and again until nothing is left. Its steps interleave with everything. */
proctype Helper() {
  byte l, t;
  bool is_record, is_fence;
  do
  :: atomic { running == 0 && leaf[0].intent == NONE && leaf[1].intent == NONE -> break }
  :: atomic {
       leaf[0].intent != NONE || leaf[1].intent != NONE ->
       if
       :: leaf[0].intent != NONE -> l = 0
       :: leaf[1].intent != NONE -> l = 1
       fi;
       t = leaf[l].intent
     }
     atomic { is_record = leaf[HOME(t)].record[t]; is_fence = leaf[HOME(t)].fence[t] }
     if
     :: is_record -> settle(l, t)
     :: !is_record && is_fence -> set_back(l, t)
     :: !is_record && !is_fence ->
#ifdef NO_FENCE
        set_back(l, t)
#else
        atomic {         /* under comparison that there is no record */
          if
          :: !leaf[HOME(t)].record[t] -> leaf[HOME(t)].fence[t] = true
          :: else
          fi
        }
#endif
     fi
  od
}

/* A validated read: both rows, then both versions again. */
proctype Reader() {
  byte value[2], version[2], again[2], t, i;
  bool is_record;
  i = 0;
  do
  :: i < 4 ->
     atomic {
       t = leaf[i % 2].intent;
       value[i % 2] = (i < 2 -> leaf[i % 2].value : value[i % 2]);
       again[i % 2] = leaf[i % 2].version
     }
     if
     :: t == NONE
     :: else ->
        is_record = leaf[HOME(t)].record[t];
        if
        :: is_record ->          /* committed: the new row is the row. Read again what it is. */
           settle(i % 2, t);
           if
           :: i >= 2 -> again[i % 2] = t
           :: i < 2 -> goto next_round
           fi
        :: else ->
#ifndef NO_SECOND_LOOK
           if
           :: leaf[i % 2].intent != t -> goto next_round
           :: else
           fi
#endif
           skip
        fi
     fi;
     if
     :: i < 2 -> version[i % 2] = again[i % 2]
     :: else
     fi;
     i++;
  next_round:
     skip
  :: i == 4 -> break
  od;
  if
#ifdef SKEW
  :: version[0] == again[0] && version[1] == again[1] -> assert(value[0] + value[1] <= 1)
#else
  :: version[0] == again[0] && version[1] == again[1] -> assert(value[0] == value[1])
#endif
  :: else
  fi
}

init {
  byte total = 0, i;
  atomic {
    leaf[0].intent = NONE; leaf[1].intent = NONE;
    leaf[0].version = TRANSACTIONS; leaf[1].version = TRANSACTIONS;
    run Coordinator(0); run Coordinator(1); run Helper(); run Helper(); run Reader()
  }
  (_nr_pr == 1);
  for (i : 0 .. TRANSACTIONS - 1) {
    if
    :: committed[i] -> total++
    :: else
    fi
  }
#ifdef SKEW
  assert(total <= 1);
#else
  assert(leaf[0].value == leaf[1].value);
  assert(leaf[0].value == total);
#endif
  assert(answered <= total)
}
