"""A proxy in front of a server that writes down what each answer says it consumed, and can refuse calls as a throttled
table does."""

import http.client
import http.server
import json
import threading
import time

WRITES = ("PutItem", "UpdateItem", "DeleteItem")
READS = ("Scan", "GetItem", "BatchGetItem")


class MeteredProxy:
    """`refuse(operation, number)`: whether the number-th call of all is refused."""

    def __init__(self, port, refuse=lambda operation, number: False):
        self.calls = []  # (time, operation, units) of answered calls
        self.refused = []  # operations
        self._lock = threading.Lock()
        self._number = 0
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                operation = self.headers["X-Amz-Target"].partition(".")[2]
                with proxy._lock:
                    proxy._number += 1
                    refused = refuse(operation, proxy._number)
                if refused:
                    proxy.refused.append(operation)
                    return self.answer(400, json.dumps({
                        "__type": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
                        "message": "The level of configured provisioned throughput for the table was exceeded."}).encode())
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                connection.request("POST", "/", body, dict(self.headers))
                answer = connection.getresponse()
                content = answer.read()
                connection.close()
                proxy.note(operation, answer.status, content)
                self.answer(answer.status, content)

            def answer(self, status, content):
                self.send_response(status)
                self.send_header("Content-Type", "application/x-amz-json-1.0")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.endpoint = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def note(self, operation, status, content):
        consumed = json.loads(content).get("ConsumedCapacity") if status == 200 else None
        if consumed is None:
            return
        consumed = consumed if isinstance(consumed, list) else [consumed]
        with self._lock:
            self.calls.append((time.monotonic(), operation, sum(one["CapacityUnits"] for one in consumed)))

    def units(self, operations):
        return sum(units for _, operation, units in self.calls if operation in operations)

    def rate(self, operations, began):
        """Units a second from then until the last of these calls. Delayed answers only make it smaller, never larger."""
        return self.units(operations) / (max(moment for moment, operation, _ in self.calls if operation in operations) - began)

    def close(self):
        self._server.shutdown()
        self._server.server_close()
