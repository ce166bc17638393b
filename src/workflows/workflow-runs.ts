import type { Json, JsonObject } from '../documents/json.js';
import { UnreadableDocument } from '../documents/findings.js';
import { parseYaml } from '../documents/yaml.js';
import { isExpression, objectOf } from './tool-calls.js';
import { stepsOf } from './workflow-steps.js';

/** A workflow that another one runs; any version where none is given. */
export type WorkflowRun =
  | { readonly wfDefId: string }
  | { readonly namespace: string; readonly name: string; readonly version: string | null };

/** The workflows that a definition runs, each once. One that is known only at run time is left out. Pure. */
export function runsOf(definition: string): readonly WorkflowRun[] {
  const runs = new Map<string, WorkflowRun>();
  for (const step of stepsIn(definition)) {
    const run = runOf(step);
    if (run !== undefined) runs.set(JSON.stringify(run), run);
  }
  return [...runs.values()];
}

function stepsIn(definition: string): readonly JsonObject[] {
  try {
    return stepsOf(objectOf(parseYaml(definition)), () => undefined).map(({ given }) => given);
  } catch (fault) {
    // Passes over definitions in old events that can't be read any more.
    if (fault instanceof UnreadableDocument) return [];
    throw fault;
  }
}

function runOf(step: JsonObject): WorkflowRun | undefined {
  const { namespace, name, version } = objectOf(objectOf(step['run'])['workflow']);
  const { wfDefId } = objectOf(step['workflow']);
  if (isPlain(wfDefId)) return { wfDefId };
  if (!isPlain(namespace) || !isPlain(name)) return undefined;
  return { namespace, name, version: isPlain(version) && version !== 'latest' ? version : null };
}

function isPlain(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '' && !isExpression(value);
}
