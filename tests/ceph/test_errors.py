"""What goes wrong between a node and its cluster: a clear word within a time, never a hang, and back when the cluster is."""

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from botocore.exceptions import BotoCoreError, ClientError
from conftest import CONFIGURATION, ceph, client, cluster, create, store_options
from server_process import ServerProcess, run_to_end
from test_faults import Load

BOUND_S = 60  # far above every time-out here: only a hang takes as long


def refused(*options):
    began = time.monotonic()
    code, _, error = run_to_end("serve", "--port", "0", *options, timeout_s=BOUND_S)
    print(f"{time.monotonic() - began:.1f} s: {error.strip()}")
    assert code == 1
    return error


def test_a_pool_that_is_not_there():
    error = refused(*store_options("nowhere", "--ceph-timeout-ms", "5000"))
    assert "has no pool 'nowhere'" in error and "ceph osd pool create" in error


def test_a_monitor_that_does_not_answer(tmp_path):
    elsewhere = tmp_path / "ceph.conf"
    elsewhere.write_text("[global]\nmon_host = [v2:127.0.0.1:1/0]\nauth_client_required = none\n")
    error = refused("--store", "rados", "--pool", "p", "--ceph-conf", str(elsewhere), "--ceph-timeout-ms", "2000")
    assert "no monitor" in error and "mon_host" in error


def test_a_configuration_that_is_not_there():
    error = refused("--store", "rados", "--pool", "p", "--ceph-conf", "/nowhere/ceph.conf", "--ceph-timeout-ms", "2000")
    assert "/nowhere/ceph.conf" in error


def configuration_with_keyring(tmp_path, user, *capabilities):
    """A ceph.conf whose keyring has one new user only."""
    keyring = tmp_path / f"{user}.keyring"
    ceph("auth", "get-or-create", f"client.{user}", *capabilities, "-o", str(keyring))
    lines = CONFIGURATION.read_text().replace(f"keyring = {CONFIGURATION.parent}/keyring", f"keyring = {keyring}")
    configuration = tmp_path / f"{user}.conf"
    configuration.write_text(lines)
    return configuration


def options_of(user, configuration, pool):
    return ["--store", "rados", "--pool", pool, "--ceph-conf", str(configuration), "--ceph-user", user,
            "--ceph-timeout-ms", "5000"]


def test_a_user_without_permission_on_the_pool(tmp_path, pool):
    configuration = configuration_with_keyring(tmp_path, "reader", "mon", "allow r")
    error = refused(*options_of("reader", configuration, pool))
    assert "may not read and write the pool" in error and "osd 'allow rwx pool=" in error


def test_a_user_that_is_unknown(tmp_path, pool):
    configuration = configuration_with_keyring(tmp_path, "gone", "mon", "allow r")
    ceph("auth", "rm", "client.gone")
    assert "client.gone" in refused(*options_of("gone", configuration, pool))


def test_a_user_without_a_keyring(tmp_path, pool):
    configuration = configuration_with_keyring(tmp_path, "some", "mon", "allow r")
    assert "keyring" in refused(*options_of("nobody", configuration, pool))


def test_the_least_privileges_are_enough(tmp_path, pool):
    """Those of docs/cluster.md."""
    configuration = configuration_with_keyring(tmp_path, "least", "mon", "allow r", "osd", f"allow rwx pool={pool}")
    with ServerProcess(tmp_path / "least.log", store=options_of("least", configuration, pool)) as node:
        db = client(node.url)
        create(db, "least")
        db.put_item(TableName="least", Item={"pk": {"S": "x"}})
        assert db.scan(TableName="least", ConsistentRead=True)["Count"] == 1
        db.delete_table(TableName="least")
        assert node.stop() == 0


def wait_for_answer(db, table, bound_s=BOUND_S):
    began = time.monotonic()
    while True:
        try:
            db.put_item(TableName=table, Item={"pk": {"S": "again"}})
            return time.monotonic() - began
        except ClientError as error:
            assert error.response["ResponseMetadata"]["HTTPStatusCode"] >= 500, error
            assert time.monotonic() - began < bound_s
            time.sleep(0.2)


DAEMONS = ("mon.a", "osd.0", "osd.1", "osd.2")


@contextlib.contextmanager
def cluster_is_gone(how):
    """Killed: connections are refused. Paused: they stand, and nothing is ever answered."""
    if how == "killed":
        cluster("kill")
    else:
        for daemon in DAEMONS:
            cluster("pause", daemon)
    try:
        yield
    finally:
        if how == "killed":
            cluster("restart")
        else:
            for daemon in DAEMONS:
                cluster("resume", daemon)


def failures(pool, calls):
    """Makes all calls at once; each must be answered with the error of a cluster that does not answer."""

    def fails(call):
        began = time.monotonic()
        with pytest.raises(ClientError) as failed:
            call()
        assert failed.value.response["ResponseMetadata"]["HTTPStatusCode"] == 503, failed.value
        assert "the Ceph cluster did not answer in time" in str(failed.value)
        return time.monotonic() - began

    return [done.result(timeout=BOUND_S) for done in [pool.submit(fails, call) for call in calls]]


@pytest.mark.parametrize("how", ["killed", "paused"])
def test_a_cluster_that_is_gone_and_comes_back(start_nodes, how):
    """Every request has an answer, late writes do no harm, and the node serves again by itself."""
    node = start_nodes(1, "--ceph-timeout-ms", "1000")[0]
    db, table = node.db(attempts=0), f"gone-{how}"
    create(db, table)
    key = {"TableName": table, "Key": {"pk": {"S": "x"}}}
    load = Load([node])
    load.prepare()
    with ThreadPoolExecutor(40) as pool:
        clients = [pool.submit(load.run, number) for number in range(8)]
        time.sleep(1)
        memory_before = node.memory_bytes()
        with cluster_is_gone(how):
            calls = [
                lambda: db.get_item(**key, ConsistentRead=True),
                lambda: db.scan(TableName=table, ConsistentRead=True),
                lambda: db.put_item(TableName=table, Item={"pk": {"S": "x"}}),
                lambda: db.update_item(**key, UpdateExpression="ADD n :n", ExpressionAttributeValues={":n": {"N": "1"}}),
                lambda: db.transact_get_items(TransactItems=[{"Get": key}]),
            ]
            waited = failures(pool, calls * 5)
            more = 0
            while time.monotonic() - load.answers[-1] < 6:  # under load, with many more late operations
                failures(pool, [calls[0]] * 30)
                more += 30
            print(f"{len(waited)} requests failed after {min(waited):.1f} to {max(waited):.1f} s, {more} more before 6 s")
            print(f"the node grew by {(node.memory_bytes() - memory_before) / 1e6:.1f} MB")
        again = wait_for_answer(db, table)
        print(f"serves again after {again:.1f} s")
        time.sleep(1)
        load.stop.set()
        for client in clients:
            client.result(timeout=BOUND_S)
    print(f"{sum(map(len, load.acknowledged.values()))} writes acknowledged, {dict(load.errors)}; stalls {load.stalls()}")
    assert load.errors["ServiceUnavailable"] > 0 and max(load.answers) > time.monotonic() - BOUND_S
    load.check(db)
    assert node.stop() == 0


@pytest.mark.parametrize("how", ["killed", "paused"])
def test_a_node_stops_without_its_cluster(start_nodes, how):
    """In seconds, whatever the time-out, with requests under way."""
    node = start_nodes(1, "--ceph-timeout-ms", "600000")[0]
    db, table = node.db(), f"stopped-{how}"
    create(db, table)
    with ThreadPoolExecutor() as pool, cluster_is_gone(how):
        waiting = [pool.submit(db.put_item, TableName=table, Item={"pk": {"S": str(n)}}) for n in range(5)]
        time.sleep(2)
        began = time.monotonic()
        assert node.stop() == 0, node.log_text()
        print(f"ended after {time.monotonic() - began:.1f} s")
        for request in waiting:
            with pytest.raises((ClientError, BotoCoreError)):
                request.result(timeout=BOUND_S)


def wait_until_full(db, table):
    """The daemons learn of it one after the other."""
    for number in range(10**6):
        try:
            db.put_item(TableName=table, Item={"pk": {"S": f"not yet {number}"}})
        except ClientError:
            return number
        assert number < BOUND_S / 0.1, "the cluster took writes although it was full"
        time.sleep(0.1)


def test_a_full_cluster(start_nodes):
    """Writes are refused with a word that says why and leave nothing behind; reads and deletions go on."""
    one, two = start_nodes(2, "--ceph-timeout-ms", "20000")
    db, table = one.db(attempts=0), "full"
    create(db, table)
    db.put_item(TableName=table, Item={"pk": {"S": "before"}})
    key = {"TableName": table, "Key": {"pk": {"S": "before"}}}
    cluster("fill")
    try:
        written = wait_until_full(db, table)
        written = max(written, wait_until_full(two.db(attempts=0), table))  # the same keys
        writes = [
            lambda: db.put_item(TableName=table, Item={"pk": {"S": "x"}}),
            lambda: db.update_item(**key, UpdateExpression="ADD n :n", ExpressionAttributeValues={":n": {"N": "1"}}),
            lambda: db.transact_write_items(TransactItems=[{"Put": {"TableName": table, "Item": {"pk": {"S": "z"}}}}]),
            lambda: create(db, "full-too"),
            lambda: two.db(attempts=0).put_item(TableName=table, Item={"pk": {"S": "y"}}),
        ]
        began = time.monotonic()
        for write in writes:
            with pytest.raises(ClientError) as failed:
                write()
            error = failed.value
            assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 503, error
            assert "the Ceph cluster or the pool is full" in str(error)
        print(f"{len(writes)} writes refused in {time.monotonic() - began:.1f} s: {error}")
        for node in (one, two):
            assert node.db(attempts=0).get_item(**key, ConsistentRead=True)["Item"] == {"pk": {"S": "before"}}
            assert node.db(attempts=0).scan(TableName=table, ConsistentRead=True)["Count"] == 1 + written
        db.delete_item(**key)
        assert "Item" not in two.db().get_item(**key, ConsistentRead=True)
    finally:
        cluster("empty")
    print(f"writes again after {wait_for_answer(db, table):.1f} s")
    wait_for_answer(two.db(), table)
    assert two.db().scan(TableName=table, ConsistentRead=True)["Count"] == 1 + written
    assert db.describe_table(TableName=table)["Table"]["ItemCount"] == 1 + written
    assert one.stop() == 0 and two.stop() == 0
