"""Expressions that do the same costly thing many times, up to the limits of the service and a little past them."""

from items import NAMES, SMALL_VALUES, large_values

BYTES_MAX = 4096


class Expressions:
    """The expressions of one request, and the placeholders that they use."""

    def __init__(self, random, heavy):
        self.random = random
        self.heavy = heavy  # the name of the attribute that is large in the item at hand
        self.names = {}
        self.values = {}

    def count(self, most):
        """Mostly few or as many as there may be."""
        return self.random.choice((1, 1, 2, 5, self.random.randrange(1, most + 1), most, most + 1))

    def path(self):
        name = self.heavy if self.random.random() < 0.7 else self.random.choice(NAMES)
        if self.random.random() < 0.1:
            self.names[f"#{name}"] = name
            name = f"#{name}"
        return name + self.random.choice(
            ("", "", "", "", "[0]", "[1]", "[94999]", "[99999999]", ".k1", ".k29999", ".k1.k2", ".d" * 8, "[0]" * 12)
        )

    def value(self, small=False):
        """A placeholder; sometimes one that is there already."""
        if self.values and self.random.random() < 0.6:
            return self.random.choice(list(self.values))
        placeholder = f":{len(self.values)}"
        large = not small and len(self.values) < 3 and self.random.random() < 0.4
        self.values[placeholder] = self.random.choice(large_values() if large else SMALL_VALUES)
        return placeholder

    def joined(self, make, separator, count, repeat):
        """So many of what `make` makes, or the first one again and again, as long as there is room."""
        texts, size = [], 0
        while len(texts) < count:
            text = texts[0] if texts and repeat else make(len(texts))
            size += len(text) + len(separator)
            if size > BYTES_MAX - 20 and self.random.random() < 0.98:
                break
            texts.append(text)
        return separator.join(texts)

    def operand(self):
        return self.random.choice((self.path, self.path, self.value, lambda: f"size({self.path()})"))()

    def comparison(self, _=0):
        choose = self.random.randrange(9)
        if choose < 3:
            return f"{self.operand()}{self.random.choice(('=', '<>', '<', '<=', '>', '>='))}{self.operand()}"
        if choose < 5:
            return f"contains({self.path()},{self.operand()})"
        if choose == 5:
            return f"begins_with({self.path()},{self.value()})"
        if choose == 6:
            return f"{self.operand()} IN ({','.join(self.operand() for _ in range(self.count(100)))})"
        if choose == 7:
            return f"{self.operand()} BETWEEN {self.operand()} AND {self.operand()}"
        return f"{self.random.choice(('attribute_exists', 'attribute_not_exists'))}({self.path()})"

    def condition(self):
        separator = self.random.choice((" AND ", " OR "))
        negated = "NOT " if self.random.random() < 0.5 else ""
        return self.joined(
            lambda _: negated + self.comparison(), separator, self.count(100 if negated else 150), self.random.random() < 0.7
        )

    def projection(self):
        names = self.random.random() < 0.5
        return self.joined(
            lambda at: f"{self.heavy}.k{at}" if names else f"{self.heavy}[{at}]", ",", self.count(600), False
        )

    def update(self):
        kind = self.random.randrange(8)
        count = self.count(300)
        target = self.random.choice(("a{}", "n.a{}", f"{self.heavy}[{{}}]", f"{self.heavy}.k{{}}", f"{self.heavy}.new{{}}"))
        if self.random.random() < 0.6:
            target = "a{}"
        if kind == 0:
            return "REMOVE " + self.joined(target.format, ",", count, False)
        if kind == 1:
            section = self.random.choice(("ADD", "DELETE"))
            value = self.value()
            first = self.heavy if self.random.random() < 0.5 else "n"
            return f"{section} {first} {value}," + self.joined(lambda at: f"{target.format(at)} {value}", ",", count, False)
        make = self.random.choice((
            lambda: f"list_append({self.path()},{self.path()})",
            lambda: f"list_append(if_not_exists(zz,{self.path()}),{self.operand_of_update()})",
            lambda: f"if_not_exists(zz,{self.path()})",
            self.path,
            lambda: f"{self.path()}+{self.value()}",
            self.value,
        ))
        text = make()
        return "SET " + self.joined(lambda at: f"{target.format(at)}={text}", ",", count, False)

    def operand_of_update(self):
        return self.path() if self.random.random() < 0.7 else self.value()

    def members(self):
        """The placeholders as members of the request; sometimes many more than are used."""
        members = {}
        if self.random.random() < 0.02:
            for at in range(self.random.choice((100, 20_000))):
                self.random.choice((self.names, self.values))[f"#u{at}"] = "x"
        if self.names:
            members["ExpressionAttributeNames"] = self.names
        if self.values:
            members["ExpressionAttributeValues"] = self.values
        return members
