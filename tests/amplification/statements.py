"""PartiQL: the same costly thing many times, and conditions within conditions."""

from items import SMALL_VALUES, TABLE, large_values

BYTES_MAX = 8192


class Statements:
    def __init__(self, random, heavy):
        self.random = random
        self.heavy = heavy
        self.parameters = []

    def parameter(self, large=0.4):
        take_large = len(self.parameters) < 3 and self.random.random() < large
        self.parameters.append(self.random.choice(large_values() if take_large else SMALL_VALUES))
        return "?"

    def count(self, most):
        return self.random.choice((1, 2, self.random.randrange(1, most + 1), most))

    def joined(self, make, separator, count):
        texts, size = [], 0
        for at in range(count):
            text = make(at)
            size += len(text) + len(separator)
            if size > BYTES_MAX - 200:
                break
            texts.append(text)
        return separator.join(texts)

    def condition(self, _=0):
        heavy = self.heavy
        return self.random.choice((
            lambda: f"{heavy}={self.parameter()}",
            lambda: f"contains({heavy},{self.parameter()})",
            lambda: f"{heavy}[0]={self.parameter()}",
            lambda: f"{heavy}.k1 IS MISSING",
            lambda: f"size({heavy})>{self.parameter(0)}",
            lambda: f"n IN [{','.join(self.parameter(0) for _ in range(self.count(100)))}]",
            lambda: f"begins_with({heavy},{self.parameter()})",
            lambda: f"NOT {heavy}<>{self.parameter()}",
        ))()

    def nested(self):
        """A condition compared with true, compared with true, and so on."""
        text = "n=1"
        for _ in range(self.random.randrange(1, 60)):
            text = self.random.choice((f"({text})=true", f"(n=2)=({text})", f"({text}) IN (true,false)", f"NOT ({text})"))
        return text

    def where(self):
        chosen = self.random.random()
        if chosen < 0.2:
            return self.nested()
        return self.joined(self.condition, self.random.choice((" AND ", " OR ")), self.count(150))

    def select(self):
        columns = "*"
        if self.random.random() < 0.4:
            columns = self.joined(
                lambda at: self.random.choice((self.heavy, f"{self.heavy}[{at}]", f"{self.heavy}.k{at}")), ",", self.count(400)
            )
        key = self.random.choice((f"pk='{self.heavy}'", f"pk IN ['{self.heavy}','small','wide']", "pk>''"))
        return f'SELECT {columns} FROM "{TABLE}" WHERE {key} AND ({self.where()})'

    def update(self):
        heavy = self.heavy
        make = self.random.choice((
            lambda at: f"SET a{at}=list_append({heavy},{heavy})",
            lambda at: f"SET a{at}={heavy}",
            lambda at: f"SET a{at}=list_append(list_append({heavy},[]),{self.parameter(0.1)})",
            lambda at: f"SET {heavy}=set_add({heavy},{self.parameter()})" if at == 0 else f"SET a{at}=1",
            lambda at: f"SET {heavy}=set_delete({heavy},{self.parameter()})" if at == 0 else f"SET a{at}=1",
            lambda at: f"REMOVE {heavy}[{at}]",
            lambda at: f"SET {heavy}.k{at}={self.parameter(0)}",
        ))
        where = f" AND ({self.where()})" if self.random.random() < 0.2 else ""
        return f"UPDATE \"{TABLE}\" {self.joined(make, ' ', self.count(300))} WHERE pk='{heavy}'{where}"

    def statement(self):
        text = self.random.choice((self.select, self.select, self.update))()
        members = {"Statement": text}
        if self.parameters:
            members["Parameters"] = self.parameters
        return members
