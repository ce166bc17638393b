/** Finds what is wrong with a workflow definition when it is saved. Pure. */
import { UnreadableDocument } from '../documents/findings.js';
import type { Json, JsonObject } from '../documents/json.js';
import { smallTextLimits } from '../documents/limits.js';
import { parseYaml } from '../documents/yaml.js';
import {
  callsWithoutTool,
  named,
  objectOf,
  type CallableTool,
  type Problem,
  type Report,
  type ToolCall,
} from './tool-calls.js';
import { stepsOf, type Step } from './workflow-steps.js';
import { Invalid, type Fault } from '../kernel/errors.js';
import { secretFaults } from '../platform/validation/secrets-in-texts.js';

/** Bytes of a definition as UTF-8: far more than workflows have, few enough to be read at once. */
export const longestDefinition = smallTextLimits.bytes;
/** Problems of each severity that are reported at once. */
const MAX_PROBLEMS = 200;

export interface ValidatedWorkflow {
  readonly steps: readonly Step[];
  readonly toolCalls: readonly ToolCall[];
  /** In the order of the text. */
  readonly problems: readonly Problem[];
}

/** Namespace, name and version that a definition is saved under; the text may give them too. */
export interface Identity {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
}

/** Validates a definition. `tools` are those of its skill; left out, calls are not compared with any. */
export function validateWorkflow(
  definition: string,
  { identity = {}, tools }: { readonly identity?: Identity; readonly tools?: readonly CallableTool[] } = {},
): ValidatedWorkflow {
  const problems: Problem[] = [];
  const report: Report = (severity, path, code, message) => {
    const listed = problems.filter((problem) => problem.severity === severity).length;
    if (listed < MAX_PROBLEMS) problems.push({ severity, path, code, message });
  };
  const workflow = readWorkflow(definition, report);
  if (workflow === undefined) return { steps: [], toolCalls: [], problems };
  checkDocument(workflow, identity, report);
  const steps = stepsOf(workflow, report);
  const toolCalls = steps.flatMap((step) => step.tools);
  if (tools !== undefined) {
    for (const call of callsWithoutTool(toolCalls, tools)) {
      report('error', call.path, 'workflow_tool_not_linked', notLinked(call));
    }
  }
  return { steps, toolCalls, problems };
}

export function notLinked(call: ToolCall): string {
  return `The step calls ${named(call)}, which the skill does not have. Link it, or mark the step with metadata.dependency: future or external.`;
}

function readWorkflow(definition: string, report: Report): JsonObject | undefined {
  if (Buffer.byteLength(definition) > longestDefinition) {
    const message = `The definition is longer than ${String(longestDefinition / 1024)} KiB. Split it into several workflows.`;
    report('error', '', 'workflow_document_too_large', message);
    return undefined;
  }
  let workflow: Json;
  try {
    workflow = parseYaml(definition);
  } catch (fault) {
    if (!(fault instanceof UnreadableDocument)) throw fault;
    report('error', fault.pointer, `workflow_${fault.code}`, fault.detail);
    return undefined;
  }
  if (objectOf(workflow) === workflow) return workflow;
  const message = 'A workflow is a map with "document" and "do".';
  report('error', '', 'workflow_malformed', message);
  return undefined;
}

/** Warns where the text gives another namespace, name or version than it is saved under. */
function checkDocument(workflow: JsonObject, identity: Identity, report: Report): void {
  const document = objectOf(workflow['document']);
  for (const [member, expected] of Object.entries(identity)) {
    const said = document[member];
    if (said === undefined || expected === undefined || said === expected) continue;
    const message = `document.${member} is ${JSON.stringify(said)}, and the definition is saved as "${expected}".`;
    report('warning', `/document/${member}`, 'workflow_document_differs', message);
  }
  if (workflow['do'] === undefined) {
    report('warning', '', 'workflow_without_steps', 'The workflow has no "do": it does nothing.');
  }
}

/**
 * Reads a definition that is to be saved, with what was found in it.
 *
 * @throws Invalid `workflow_definition_invalid` with all errors, `workflow_contains_secret` with the lines
 */
export async function readContent(definition: string, identity: Identity) {
  const { problems, toolCalls } = validateWorkflow(definition, { identity });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    throw new Invalid(
      'workflow_definition_invalid',
      'The definition can’t be saved as it is. POST …/workflows/validate lists the same faults and writes nothing.',
      errors.map(({ path, message }) => ({ pointer: '/definition', detail: at(path, message) })),
    );
  }
  await refuseSecrets(definition);
  const warnings = problems.map(({ path, code, message }) => ({ path, code, message }));
  return { definition, toolCalls: [...toolCalls], warnings };
}

async function refuseSecrets(definition: string): Promise<void> {
  const faults = await secretsIn(definition);
  if (faults.length === 0) return;
  const detail = 'A workflow names its secrets in use.secrets and never holds them. Take them out.';
  throw new Invalid('workflow_contains_secret', detail, faults);
}

/** Lists the secrets that a definition holds, by line and kind. */
export function secretsIn(definition: string): Promise<readonly Fault[]> {
  return secretFaults([{ pointer: '/definition', text: definition }]);
}

function at(path: string, message: string): string {
  return path === '' ? message : `${path}: ${message}`;
}
