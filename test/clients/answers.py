"""Implements every tool by what it was given, and answers calls: a line of JSON in, a line of JSON out."""

import importlib
import json
import sys

from tool_registry.errors import InvalidArguments, InvalidResult


def implementation_of(name):
    module = importlib.import_module(name)
    base, output = (getattr(module, public) for public in module.__all__[:2])

    class Echo(base):
        def _execute(self, **given):
            given.update(given.pop("additional_properties", {}))
            if "result" in given:
                return output(**{name: given.get(name) for name in ("result", "metadata", "instruction")})
            return output(result=given)

    return Echo(), module.spec


implementations = {}
for line in sys.stdin:
    call = json.loads(line)
    if call["module"] not in implementations:
        implementations[call["module"]] = implementation_of(call["module"])
    echo, spec = implementations[call["module"]]
    try:
        answer = {"version": spec.version, "answer": echo.execute(json.loads(call["text"])).to_wire()}
    except (InvalidArguments, InvalidResult) as error:
        faults = [[fault.pointer, fault.reason] for fault in error.faults]
        answer = {"error": type(error).__name__, "faults": faults, "message": str(error)}
    print(json.dumps(answer))
