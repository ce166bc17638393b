import { differences } from '../endpoints/change-grade.js';
import type { Fields } from '../endpoints/endpoint.layers.js';
import { RuleBroken } from '../eventsourcing/errors.js';
import { acceptedFields, markOf, shownFields, versionGradeOf } from './tool-change.js';
import type { ChangeMark, ToolInvocation, ToolWords } from './tool-facts.js';
import type { UpdateTool } from './tool.commands.js';
import { holdsName, type KnownTool, type LaterEvent } from './tool.state.js';
import { nextVersion } from './tool-version.js';

/** What other schemas make of a tool without an endpoint: graded, and marked until accepted, as a refresh is (docs/contract.md, section 5). */
export function revised(
  tool: KnownTool,
  { schemas = {}, quarantine = false, taken }: UpdateTool['payload'],
): readonly LaterEvent[] {
  if (tool.endpointId !== null) throw endpointsSchemas(tool.name);
  const { inputSchema = tool.invocation.inputSchema, outputSchema = tool.outputSchema } = schemas;
  const before = scriptFields(tool.words, tool.invocation.inputSchema, tool.outputSchema);
  const after = scriptFields(tool.words, inputSchema, outputSchema);
  if (differences(before, after).length === 0) return [];
  const version = nextVersion(tool.version, versionGradeOf(before, after), holdsName(tool) ? taken : []);
  const mark = markOf(acceptedFields(before, tool.change), after);
  const change = waiting(mark, quarantine || tool.change?.quarantine === true);
  return [{ type: 'ToolRevisedEvent', data: { inputSchema, outputSchema, version, change } }];
}

/** What a tool without an endpoint shows an agent. */
export function scriptFields(
  words: ToolWords,
  inputSchema: ToolInvocation['inputSchema'],
  outputSchema: KnownTool['outputSchema'],
): Fields {
  return shownFields(words, inputSchema, outputSchema === null ? {} : { outputSchema });
}

/** The mark with what the setting of the host makes of it. Whoever ends the setting later accepts nothing by that. */
export function waiting(mark: ChangeMark | null, quarantine: boolean): ChangeMark | null {
  return mark !== null && quarantine ? { ...mark, quarantine } : mark;
}

function endpointsSchemas(name: string): RuleBroken {
  const detail = `The schemas of ${name} are those of its endpoint. Import the document of its API again.`;
  return new RuleBroken('tool_has_endpoint', detail);
}
