"""What the clients know: which writes were acknowledged, and which were in doubt when the server died."""


class Ledger:
    """The knowledge of one worker. Its keys are its own; counters and claims are shared with the others."""

    def __init__(self):
        self.items = {}  # (pk, sk) to the acknowledged item, None for a deleted one
        self.doubt = []  # requests without an answer, each (pk, sk) to what it would have written
        self.counted = {}  # counter to acknowledged additions
        self.counts_in_doubt = {}
        self.count_seen = {}  # counter to the highest value that an answer showed
        self.claims_won = set()
        self.claims_refused = set()
        self.claims_in_doubt = set()
        self.acknowledged = 0  # requests
        self.problems = []  # answers that no kill explains

    def acknowledge(self, writes):
        self.items.update(writes)
        self.acknowledged += 1

    def settle(self, observed):
        """After a check: what is there now is what the next round starts from."""
        for request in self.doubt:
            for key in request:
                self.items[key] = observed.items.get(key)
        self.doubt.clear()


def check_items(ledger, observed):
    """Every acknowledged write is there; a request in doubt is there as a whole or not at all."""
    found = []
    in_doubt = {key for request in ledger.doubt for key in request}
    for key, item in ledger.items.items():
        if key not in in_doubt and observed.items.get(key) != item:
            found.append(f"{key}: acknowledged {brief(item)}, there is {brief(observed.items.get(key))}")
    for request in ledger.doubt:
        now = {key: observed.items.get(key) for key in request}
        before = {key: ledger.items.get(key) for key in request}
        if now != before and now != request:
            differing = [key for key in request if now[key] not in (before[key], request[key])]
            found.append(f"a request in doubt was done in part: keys {list(request)}, neither old nor new: {differing}")
    known = {}
    known.update(ledger.items)
    for request in ledger.doubt:
        known.update(request)
    return found, known


def check_counters(ledgers, observed):
    found = []
    for counter in {name for ledger in ledgers for name in ledger.counted | ledger.counts_in_doubt}:
        acknowledged = sum(ledger.counted.get(counter, 0) for ledger in ledgers)
        doubtful = sum(ledger.counts_in_doubt.get(counter, 0) for ledger in ledgers)
        seen = max(ledger.count_seen.get(counter, 0) for ledger in ledgers)
        actual = int(observed.items.get((counter, "counter"), {}).get("count", {"N": "0"})["N"])
        if not max(acknowledged, seen) <= actual <= acknowledged + doubtful:
            found.append(
                f"{counter}: {acknowledged} additions acknowledged, {doubtful} in doubt, {seen} shown, "
                f"the value is {actual}"
            )
    return found


def check_claims(ledgers, observed):
    """Of several conditional puts of one key one wins, and who was refused was refused by one that stays."""
    found = []
    claims = set().union(*(l.claims_won | l.claims_refused | l.claims_in_doubt for l in ledgers))
    for claim in claims:
        winners = [number for number, ledger in enumerate(ledgers) if claim in ledger.claims_won]
        doubtful = [number for number, ledger in enumerate(ledgers) if claim in ledger.claims_in_doubt]
        refused = any(claim in ledger.claims_refused for ledger in ledgers)
        owner = observed.items.get((claim, "claim"), {}).get("owner", {}).get("S")
        possible = [str(n) for n in winners or doubtful] + ([] if winners or refused else [None])
        if len(winners) > 1 or owner not in possible:
            found.append(f"{claim}: won by {winners}, in doubt for {doubtful}, owned by {owner}")
    return found


def brief(item):
    text = str(item)
    return text if len(text) < 400 else text[:400] + "..."
