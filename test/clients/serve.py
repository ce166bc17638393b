"""Implements every tool of a package by what it was given, and serves them: POST <path> with the arguments as JSON.

Usage: python serve.py '{"<path>": "<module>"}'. Prints its port; ends with its standard input."""

import importlib
import json
import sys
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from tool_registry.errors import InvalidArguments, InvalidResult

modules = json.loads(sys.argv[1])


@cache
def implementation_of(name):
    module = importlib.import_module(name)
    if hasattr(module, "ReadFile"):
        return module.ReadFile()
    base, output = (getattr(module, public) for public in module.__all__[:2])

    class Echo(base):
        def _execute(self, **given):
            given.update(given.pop("additional_properties", {}))
            if "result" in given:
                return output(**{name: given.get(name) for name in ("result", "metadata", "instruction")})
            return output(result=given)

    return Echo()


def answer_to(path, body):
    try:
        return 200, implementation_of(modules[path]).execute(json.loads(body)).to_wire()
    except (InvalidArguments, InvalidResult) as error:
        faults = [f"{fault.pointer} {fault.reason}" for fault in error.faults]
        status = 400 if isinstance(error, InvalidArguments) else 500
        return status, {"error": type(error).__name__, "faults": faults, "message": str(error)}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body leave together.
    wbufsize = -1

    def do_POST(self):
        status, answer = answer_to(self.path, self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
