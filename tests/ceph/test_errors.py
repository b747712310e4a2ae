"""What goes wrong between a node and its cluster: a clear word within a time at the start, and back when the cluster is."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from botocore.exceptions import ClientError
from conftest import CONFIGURATION, ceph, client, cluster, create, store_options
from server_process import ServerProcess, run_to_end

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


def test_a_cluster_that_is_gone_and_comes_back(start_nodes):
    """What was asked meanwhile is answered then, and the node has not ended."""
    node = start_nodes(1, "--ceph-timeout-ms", "2000")[0]
    db = node.db()
    create(db, "gone")
    cluster("kill")
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(db.put_item, TableName="gone", Item={"pk": {"S": "x"}})
        try:
            time.sleep(3)
            assert not waiting.done()
        finally:
            cluster("restart")
        waiting.result(timeout=BOUND_S)
    print(f"serves again after {wait_for_answer(db, 'gone'):.1f} s")
    assert db.scan(TableName="gone", ConsistentRead=True)["Count"] == 2
    assert node.stop() == 0
