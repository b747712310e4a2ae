"""Random expressions: right by the grammar, and then with words missing, doubled, exchanged or invented."""

import re

NAMES = ("a", "b", "c", "d", "pk", "sk", "lst", "mp", "never")
WORDS = (
    "a", "pk", "#n0", "#", "#absent", ":v0", ":", ":absent", "a.b", "a[0]", "a[99999999999999999999]", "[", "]",
    "(", ")",
    "((((", ",", ".", "=", "<>", "<", "<=", "AND", "OR", "NOT", "BETWEEN", "IN", "SET", "REMOVE", "ADD", "DELETE",
    "+", "-",
    "attribute_exists", "attribute_not_exists(a)", "begins_with(a, :v0)", "contains", "size(a)",
    "if_not_exists(a, :v0)",
    "list_append(a, :v0)", "attribute_type(a, :v0)", "SELECT", "\u0000", "\U0001f600", "'", '"', "1",
    "size(size(a))", "\t\n",
    "list", "and", "set", "a" * 300, "[-1]", "[01]", "[1.5]", "..", "a b",
)
TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)


class Expressions:
    """Makes expressions; `value` gives an attribute value. One object per request: it collects the placeholders."""

    def __init__(self, choices, value):
        self._choices = choices
        self._value = value
        self._names = {}
        self._values = {}

    def members(self, **expressions):
        """Members of a request: the expressions, and what their placeholders stand for."""
        found = dict(expressions)
        if self._names:
            found["ExpressionAttributeNames"] = self._names
        if self._values:
            found["ExpressionAttributeValues"] = self._values
        return found

    def path(self):
        c = self._choices
        text = c.choice(NAMES)
        if c.random() < 0.3:
            placeholder = f"#n{len(self._names)}"
            self._names[placeholder] = c.choice((text, "with.dot", "ünïcode", "list", "select"))
            text = placeholder
        for _ in range(c.choice((0, 0, 0, 1, 2))):
            text += c.choice((".x", ".mp", "[0]", "[1]", "[99]"))
        return text

    def placeholder(self, value=None):
        name = f":v{len(self._values)}"
        self._values[name] = value or self._value()
        return name

    def operand(self):
        kind = self._choices.random()
        if kind < 0.4:
            return self.path()
        if kind < 0.9:
            return self.placeholder()
        return f"size({self.path()})"

    def condition(self, depth=0):
        c = self._choices
        kind = c.randrange(11 if depth < 3 else 8)
        if kind < 3:
            return f"{self.operand()} {c.choice(('=', '<>', '<', '<=', '>', '>='))} {self.operand()}"
        if kind == 3:
            return f"{self.operand()} BETWEEN {self.placeholder()} AND {self.placeholder()}"
        if kind == 4:
            return f"{self.operand()} IN ({', '.join(self.operand() for _ in range(c.randrange(1, 4)))})"
        if kind == 5:
            return f"{c.choice(('attribute_exists', 'attribute_not_exists'))}({self.path()})"
        if kind == 6:
            return f"{c.choice(('begins_with', 'contains'))}({self.path()}, {self.operand()})"
        if kind == 7:
            kind_name = {"S": c.choice(("S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"))}
            return f"attribute_type({self.path()}, {self.placeholder(kind_name)})"
        if kind == 8:
            return f"NOT {self.condition(depth + 1)}"
        if kind == 9:
            return f"({self.condition(depth + 1)})"
        return f"{self.condition(depth + 1)} {c.choice(('AND', 'OR'))} {self.condition(depth + 1)}"

    def update(self):
        c = self._choices
        clauses = {
            "SET": lambda: f"{self.path()} = {self._set_value()}",
            "REMOVE": self.path,
            "ADD": lambda: f"{self.path()} {self.placeholder(c.choice(({'N': '1'}, {'NS': ['1']}, {'SS': ['a']})))}",
            "DELETE": lambda: f"{self.path()} {self.placeholder(c.choice(({'SS': ['s0']}, {'NS': ['1']})))}",
        }
        chosen = c.sample(list(clauses), c.choice((1, 1, 2, 4)))
        return " ".join(f"{name} " + ", ".join(clauses[name]() for _ in range(c.choice((1, 1, 2)))) for name in chosen)

    def _set_value(self):
        kind = self._choices.randrange(6)
        if kind == 0:
            return f"{self.path()} {self._choices.choice('+-')} {self.placeholder({'N': '2.5'})}"
        if kind == 1:
            return f"if_not_exists({self.path()}, {self.placeholder()})"
        if kind == 2:
            return f"list_append({self.path()}, {self.placeholder({'L': [{'N': '1'}]})})"
        if kind == 3:
            return f"if_not_exists({self.path()}, {self.placeholder({'N': '0'})}) + {self.placeholder({'N': '1'})}"
        return self.operand() if kind == 4 else self.placeholder()

    def projection(self):
        return ", ".join(self.path() for _ in range(self._choices.randrange(1, 5)))


def spoil(choices, text):
    """The expression with some of its words changed."""
    if choices.random() < 0.1:
        return " ".join(choices.choices(WORDS, k=choices.choice((1, 3, 8, 40))))
    tokens = TOKEN.findall(text)
    for _ in range(choices.choice((1, 1, 2, 4))):
        at = choices.randrange(len(tokens) + 1)
        kind = choices.randrange(5)
        if kind == 0:
            del tokens[at : at + 1]
        elif kind == 1:
            tokens[at:at] = tokens[at - 1 : at]
        elif kind == 2:
            tokens[at : at + 1] = [choices.choice(WORDS)]
        elif kind == 3:
            tokens.insert(at, choices.choice(WORDS))
        elif tokens:
            other = choices.randrange(len(tokens))
            at = min(at, len(tokens) - 1)
            tokens[at], tokens[other] = tokens[other], tokens[at]
    return "".join(tokens)
