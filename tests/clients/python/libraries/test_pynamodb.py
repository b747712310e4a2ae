"""PynamoDB: models with versions, indexes, nested attributes, batches, transactions, expiry."""

import datetime

import pytest
import support
from pynamodb.attributes import (
    BinaryAttribute,
    BooleanAttribute,
    JSONAttribute,
    ListAttribute,
    MapAttribute,
    NumberAttribute,
    NumberSetAttribute,
    TTLAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
    UTCDateTimeAttribute,
    VersionAttribute,
)
from pynamodb.connection import Connection
from pynamodb.exceptions import DeleteError, DoesNotExist, PutError, TableDoesNotExist, TransactWriteError, UpdateError
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, IncludeProjection, LocalSecondaryIndex
from pynamodb.models import Model
from pynamodb.transactions import TransactGet, TransactWrite


class Address(MapAttribute):
    street = UnicodeAttribute()
    number = NumberAttribute(null=True)


class ByOwner(GlobalSecondaryIndex):
    class Meta:
        index_name = "by-owner"
        projection = AllProjection()

    owner = UnicodeAttribute(hash_key=True)
    size = NumberAttribute(range_key=True)


class BySize(LocalSecondaryIndex):
    class Meta:
        index_name = "by-size"
        projection = IncludeProjection(["owner"])

    folder = UnicodeAttribute(hash_key=True)
    size = NumberAttribute(range_key=True)


class Document(Model):
    class Meta:
        table_name = support.unique("pynamodb")
        host = support.endpoint()
        billing_mode = "PAY_PER_REQUEST"
        max_retry_attempts = 0
        region = "us-east-1"

    folder = UnicodeAttribute(hash_key=True)
    name = UnicodeAttribute(range_key=True)
    owner = UnicodeAttribute(null=True)
    size = NumberAttribute(null=True)
    tags = UnicodeSetAttribute(null=True)
    pages = NumberSetAttribute(null=True)
    body = BinaryAttribute(null=True, legacy_encoding=False)
    draft = BooleanAttribute(default=False)
    made = UTCDateTimeAttribute(null=True)
    address = Address(null=True)
    history = ListAttribute(null=True)
    extra = JSONAttribute(null=True)
    expires = TTLAttribute(null=True)
    by_owner = ByOwner()
    by_size = BySize()


class Account(Model):
    class Meta(Document.Meta):
        table_name = support.unique("pynamodb")

    name = UnicodeAttribute(hash_key=True)
    balance = NumberAttribute(default=0)
    version = VersionAttribute()


@pytest.fixture(scope="module", autouse=True)
def tables():
    for model in (Document, Account):
        model.create_table(wait=True)
    yield
    for model in (Document, Account):
        model.delete_table()


def names(found):
    return [each.name for each in found]


def test_a_model_makes_its_table_indexes_and_expiry():
    found = Document.describe_table()
    assert found["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert [each["IndexName"] for each in found["GlobalSecondaryIndexes"]] == ["by-owner"]
    assert found["LocalSecondaryIndexes"][0]["Projection"] == {
        "ProjectionType": "INCLUDE",
        "NonKeyAttributes": ["owner"],
    }
    ttl = support.make_client().describe_time_to_live(TableName=Document.Meta.table_name)
    assert ttl["TimeToLiveDescription"] == {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}
    assert Document.exists()
    class Missing(Document):
        class Meta(Document.Meta):
            table_name = support.unique("missing")

    assert not Missing.exists()
    with pytest.raises(TableDoesNotExist):
        Missing.describe_table()


def test_every_attribute_type_round_trips():
    made = datetime.datetime(2031, 2, 3, 4, 5, 6, 7, tzinfo=datetime.timezone.utc)
    values = {
        "owner": "ann",
        "size": 1.5,
        "tags": {"a", "b"},
        "pages": {1, 2.5},
        "body": b"\x00\xff",
        "draft": True,
        "made": made,
        "address": Address(street="Elm", number=7),
        "history": [1, "two", {"three": None}, [True]],
        "extra": {"a": [1, 2]},
        "expires": datetime.timedelta(hours=1),
    }
    Document("types", "all", **values).save()
    read = Document.get("types", "all", consistent_read=True)
    for key in ("owner", "size", "tags", "pages", "body", "draft", "made", "history", "extra"):
        assert getattr(read, key) == values[key], key
    assert (read.address.street, read.address.number) == ("Elm", 7)
    assert read.expires > datetime.datetime.now(datetime.timezone.utc)
    with pytest.raises(DoesNotExist):
        Document.get("types", "none")


def test_conditions_guard_every_write():
    document = Document("guarded", "one", size=5, tags={"x"})
    document.save(Document.folder.does_not_exist())
    with pytest.raises(PutError) as failed:
        Document("guarded", "one").save(Document.folder.does_not_exist())
    assert failed.value.cause_response_code == "ConditionalCheckFailedException"
    with pytest.raises(UpdateError):
        document.update([Document.size.set(9)], condition=(Document.size > 6) & Document.tags.contains("x"))
    with pytest.raises(DeleteError):
        document.delete(~Document.size.between(1, 10))
    document.delete((Document.size == 5) | Document.owner.startswith("q"))
    assert Document.count("guarded") == 0


def test_updates_work_on_parts():
    document = Document("parts", "one", size=5, tags={"x", "y"}, history=["a"], address=Address(street="Elm"))
    document.save()
    document.update(
        [
            Document.size.add(2),
            Document.tags.delete({"x"}),
            Document.history.set(Document.history.append(["b"])),
            Document.address.street.set("Oak"),
            Document.owner.set(Document.owner | "nobody"),
            Document.draft.remove(),
        ]
    )
    assert (document.size, document.tags, document.history) == (7, {"y"}, ["a", "b"])
    assert (document.address.street, document.owner) == ("Oak", "nobody")
    document.update([Document.history[0].remove(), Document.pages.add({3})])
    read = Document.get("parts", "one")
    assert (read.history, read.pages) == (["b"], {3})


def test_the_writer_with_the_old_version_loses():
    Account("a").save()
    first, second = Account.get("a"), Account.get("a")
    first.update([Account.balance.add(5)])
    assert first.version == 2
    second.balance = 100
    with pytest.raises(PutError) as failed:
        second.save()
    assert failed.value.cause_response_code == "ConditionalCheckFailedException"
    with pytest.raises(DeleteError):
        second.delete()
    second.refresh()
    second.delete()
    with pytest.raises(DoesNotExist):
        Account.get("a")


def test_batches_queries_and_pages():
    with Document.batch_write() as batch:
        for number in range(60):
            batch.save(Document("paged", f"{number:02}", owner="pia", size=100 - number))
    found = Document.query("paged", page_size=7)
    assert names(found) == [f"{number:02}" for number in range(60)]
    assert found.total_count == 60 and found.last_evaluated_key is None
    some = Document.query("paged", Document.name.between("10", "20"), limit=5, scan_index_forward=False)
    assert names(some) == ["20", "19", "18", "17", "16"]
    rest = Document.query("paged", Document.name >= "10", last_evaluated_key=some.last_evaluated_key, limit=2)
    assert names(rest) == ["17", "18"]
    assert names(Document.by_size.query("paged", Document.size <= 42)) == ["59", "58"]
    others = Document.name != "01"
    owned = lambda: names(Document.by_owner.query("pia", Document.size > 97, filter_condition=others, page_size=1))
    support.eventually(owned, ["02", "00"])
    support.eventually(lambda: Document.by_owner.count("pia"), 60)
    segments = [names(Document.scan(Document.folder == "paged", segment=part, total_segments=3)) for part in range(3)]
    assert sorted(sum(segments, [])) == [f"{number:02}" for number in range(60)]
    keys = [("paged", f"{number:02}") for number in range(0, 130)]
    assert len(list(Document.batch_get(keys))) == 60


def test_transactions_are_done_as_a_whole():
    connection = Connection(host=support.endpoint(), region="us-east-1")
    Account("from", balance=10).save()
    Account("to").save()
    source, target = Account.get("from"), Account.get("to")
    token = support.unique("token")
    for _ in range(2):  # the second is the same request, told by its token
        with TransactWrite(connection=connection, client_request_token=token) as transaction:
            transaction.update(Account("from", version=1), [Account.balance.add(-4)], condition=Account.balance >= 4)
            transaction.update(Account("to", version=1), [Account.balance.add(4)])
    with TransactGet(connection=connection) as transaction:
        reads = [transaction.get(Account, name) for name in ("from", "to")]
    assert [each.get().balance for each in reads] == [6, 4]
    with pytest.raises(TransactWriteError) as failed, TransactWrite(connection=connection) as transaction:
        transaction.save(source)  # its version is old
        transaction.save(Account("new"))
        transaction.condition_check(Account, "none", condition=Account.name.exists())
    assert failed.value.cause_response_code == "TransactionCanceledException"
    # It sends the checks first.
    reasons = [each and each.code for each in failed.value.cancellation_reasons]
    assert reasons == ["ConditionalCheckFailed", "ConditionalCheckFailed", None]
    assert Account.count("new") == 0
    assert target.version == 1
