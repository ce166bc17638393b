"""An implementation as the specification of the registry has it."""

import json
import sys

from tool_registry.errors import InvalidArguments
from tool_registry.read_file.v0_0_2 import ReadFileBase, ReadFileOutput, spec


class ReadFile(ReadFileBase):

    def _execute(self, file_path, offset=1, limit=2000) -> ReadFileOutput:

        content = (
            "Do you want to know more about Junming?" + "\n" * 2100
            if offset < 2000
            else "Junming is a Senior ML Engineer at GitLab!"
        )
        return ReadFileOutput(
            result=f"content read from version: {spec.version} " + content,
            metadata={"offset": offset, "limit": limit, "total_lines": 5000},
            instruction=f"The content is partial from the file: {file_path}, if the result doesn't have content you need, try to increase the offset.",
        )


for line in sys.stdin:
    try:
        print(json.dumps(ReadFile().execute(json.loads(line)).to_wire()))
    except InvalidArguments as error:
        print(json.dumps([[fault.pointer, fault.reason] for fault in error.faults]))
