/* The shards of one slot of a stream, closed by two nodes at once, each of which may be paused at any step for any time, while a
 * writer appends and a reader reads. The log is one object: an append and a read of one entry are atomic steps.
 *
 * Checked: the reader, the parent to its end and then the child, sees every record once and in order, and comes to the end.
 *
 * Seeded errors: LAST_MARKER (of several markers the last one is taken for the end), READ_ON (the reader of the parent does not stop
 * at a marker whose roll is not done yet).
 */
#define RECORDS 3
#define LOG 8
#define MARKER 99

byte log[LOG];
byte length = 0;
byte roll = 0;          /* 0: none, 1: begun, 2: done */
byte behind = 0, end = 0;

proctype Writer() {
  byte n = 0;
  do
  :: n < RECORDS -> n++; atomic { log[length] = n; length++ }
  :: else -> break
  od
}

proctype Roller() {
  byte at, found, seen;
  seen = length;
  atomic { if :: roll == 0 -> roll = 1; behind = seen :: else fi }
  if :: roll == 2 -> goto done :: else fi;
search:
  at = behind; found = LOG;
  do
  :: at < length ->
     if
#ifdef LAST_MARKER
     :: log[at] == MARKER -> found = at; at++
#else
     :: log[at] == MARKER -> found = at; break
#endif
     :: else -> at++
     fi
  :: else -> break
  od;
  if
  :: found == LOG -> atomic { log[length] = MARKER; length++ }; goto search
  :: else
  fi;
  atomic { if :: roll == 1 -> roll = 2; end = found :: else fi }
done: skip
}

proctype Reader() {
  byte at = 0, expected = 1;
  bool child = false;
  do
  :: expected > RECORDS && child -> break
  :: !child && roll == 2 && at >= end -> child = true; at = end + 1
  :: at < length && (child || roll != 2 || at < end) ->
     if
     :: log[at] == MARKER && child -> at++           /* opened the child, or came twice */
#ifdef READ_ON
     :: log[at] == MARKER && !child -> at++
#else
     :: log[at] == MARKER && !child -> roll == 2; assert(at == end)  /* empty pages until the roll is done */
#endif
     :: else -> assert(log[at] == expected); expected++; at++
     fi
  od
}

init {
  atomic { run Writer(); run Roller(); run Roller(); run Reader() }
}
