"""The function under the triggers of this suite: writes down each event, then does what the test wants.

behaviour.json: {"fail": [sort keys that make it fail], "times": how often (default: always), "report": true to name the
failed records in the response instead of failing, "sleep": [sort keys that make it hang]}
"""

import json
import os
import pathlib
import sys
import time

folder = pathlib.Path(os.environ["STATOR_TEST_FOLDER"])
behaviour = json.loads((folder / "behaviour.json").read_text())
text = sys.stdin.read()
event = json.loads(text)
given = os.open(folder / "given.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.write(given, (json.dumps(event) + "\n").encode())

keys = {record["dynamodb"]["Keys"]["sk"]["S"]: record["dynamodb"]["SequenceNumber"] for record in event["Records"]}
if any(key in keys for key in behaviour.get("sleep", [])):
    time.sleep(3600)
bad = [key for key in behaviour.get("fail", []) if key in keys]
if bad and "times" in behaviour:
    failed = folder / "failed"
    count = len(failed.read_text()) if failed.exists() else 0
    if count >= behaviour["times"]:
        bad = []
    else:
        failed.write_text("x" * (count + 1))
if bad and behaviour.get("report"):
    print("some talk before the response")
    print(json.dumps({"batchItemFailures": [{"itemIdentifier": keys[key]} for key in bad]}))
elif bad:
    sys.exit("this function was told to fail")
