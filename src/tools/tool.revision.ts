import { differences } from '../endpoints/change-grade.js';
import { RuleBroken } from '../eventsourcing/errors.js';
import { acceptedFields, markOf, shownFields, versionGradeOf } from './tool-change.js';
import type { OtherSchemas } from './tool.commands.js';
import { holdsName, type KnownTool, type LaterEvent } from './tool.state.js';
import { nextVersion } from './tool-version.js';

/** What other schemas make of a tool without an endpoint: graded, and marked until accepted, as a refresh is (contract 5). */
export function revised(
  tool: KnownTool,
  schemas: OtherSchemas,
  taken: readonly string[],
): readonly LaterEvent[] {
  if (tool.endpointId !== null) throw endpointsSchemas(tool.name);
  const { inputSchema = tool.invocation.inputSchema, outputSchema = tool.outputSchema } = schemas;
  const before = shownFields(tool.words, tool.invocation.inputSchema, keptOf(tool.outputSchema));
  const after = shownFields(tool.words, inputSchema, keptOf(outputSchema));
  if (differences(before, after).length === 0) return [];
  const version = nextVersion(tool.version, versionGradeOf(before, after), holdsName(tool) ? taken : []);
  const change = markOf(acceptedFields(before, tool.change), after);
  return [{ type: 'ToolRevisedEvent', data: { inputSchema, outputSchema, version, change } }];
}

function keptOf(outputSchema: KnownTool['outputSchema']) {
  return outputSchema === null ? {} : { outputSchema };
}

function endpointsSchemas(name: string): RuleBroken {
  const detail = `The schemas of ${name} are those of its endpoint. Import the document of its API again.`;
  return new RuleBroken('tool_has_endpoint', detail);
}
