/** Walks through all steps of a workflow, nested ones too. Pure. */
import type { Json, JsonObject } from '../documents/json.js';
import { pointerStep } from '../platform/validation/faults.js';
import { isExpression, objectOf, toolCallsOf, type Report, type ToolCall } from './tool-calls.js';

/** One step, in the order of the text. */
export interface Step {
  /** RFC 6901 pointer into the definition. */
  readonly path: string;
  readonly name: string;
  /** `call: mcp`, `for`, `fork`, …; `unknown` where no form is known. */
  readonly kind: string;
  readonly tools: readonly ToolCall[];
  /** As it is written, with the steps within it. */
  readonly given: JsonObject;
}

const forms = [
  ...['for', 'fork', 'try', 'switch', 'listen', 'run', 'raise', 'emit', 'set', 'wait'],
  ...['mcp', 'openapi', 'agent', 'workflow', 'do'],
];
/** What `call` names beside functions of the workflow. */
const protocols = new Set([
  'mcp',
  'http',
  'openapi',
  'asyncapi',
  'grpc',
  'jsonrpc',
  'openrpc',
  'a2a',
  'agent',
]);

export function stepsOf(workflow: JsonObject, report: Report): readonly Step[] {
  const use = objectOf(workflow['use']);
  const walk = new Walk(report, new Set(Object.keys(objectOf(use['functions']))));
  walk.list(workflow['do'], '/do');
  walk.members(use['functions'], '/use/functions');
  walk.extensions(use['extensions']);
  return walk.found;
}

class Walk {
  readonly found: Step[] = [];

  constructor(
    private readonly report: Report,
    private readonly functions: ReadonlySet<string>,
  ) {}

  /** Walks through a list of steps, which are maps of one name each; others are reported, and walked through all the same. */
  list(steps: Json | undefined, path: string): void {
    if (steps === undefined) return;
    if (!Array.isArray(steps)) {
      const message = 'Steps stand in a list: "- name: {…}" one by one.';
      this.report('error', path, 'workflow_steps_malformed', message);
      this.members(steps, path);
      return;
    }
    for (const [index, item] of steps.entries()) this.named(item, `${path}/${String(index)}`);
  }

  private named(item: Json, path: string): void {
    if (Object.keys(objectOf(item)).length !== 1) {
      const message = 'A step is a map of one name to what it does.';
      this.report('error', path, 'workflow_steps_malformed', message);
    }
    this.members(item, path);
  }

  members(steps: Json | undefined, path: string): void {
    for (const [name, step] of Object.entries(objectOf(steps)))
      this.step(name, step, path + pointerStep(name));
  }

  private step(name: string, given: Json, path: string): void {
    const step = objectOf(given);
    if (step !== given) {
      this.report('error', path, 'workflow_steps_malformed', 'A step is a map of what it does.');
      return;
    }
    const tools = toolCallsOf(step, path, this.report);
    this.found.push({ path, name, kind: this.kindOf(step, path), tools, given: step });
    this.within(step, path);
  }

  /** Walks through the steps within a step. */
  private within(step: JsonObject, path: string): void {
    this.list(step['do'], `${path}/do`);
    this.list(objectOf(step['fork'])['branches'], `${path}/fork/branches`);
    this.list(step['try'], `${path}/try`);
    this.list(objectOf(step['catch'])['do'], `${path}/catch/do`);
    this.list(objectOf(step['foreach'])['do'], `${path}/foreach/do`);
    const listened = objectOf(objectOf(step['listen'])['foreach']);
    this.list(listened['do'], `${path}/listen/foreach/do`);
    const subscribed = objectOf(objectOf(objectOf(step['with'])['subscription'])['foreach']);
    this.list(subscribed['do'], `${path}/with/subscription/foreach/do`);
    if (objectOf(step['run'])['workflow'] !== undefined || step['workflow'] !== undefined) {
      const message = 'The tools of the workflow that is run are checked where that one is linked, not here.';
      this.report('warning', path, 'workflow_run_unchecked', message);
    }
  }

  /** What stands before and after steps: a list of maps, or one map, of names to `before` and `after`. */
  extensions(given: Json | undefined): void {
    const items = Array.isArray(given) ? [...given.entries()] : [['', given ?? {}] as const];
    for (const [index, item] of items) {
      const path = index === '' ? '/use/extensions' : `/use/extensions/${String(index)}`;
      for (const [name, extension] of Object.entries(objectOf(item))) {
        for (const when of ['before', 'after']) {
          this.list(objectOf(extension)[when], `${path}${pointerStep(name)}/${when}`);
        }
      }
    }
  }

  private kindOf(step: JsonObject, path: string): string {
    const { call } = step;
    if (call === undefined) return forms.find((form) => step[form] !== undefined) ?? 'unknown';
    if (typeof call !== 'string') {
      this.report(
        'error',
        `${path}/call`,
        'workflow_steps_malformed',
        'A call names what it calls, by a text.',
      );
      return 'call';
    }
    if (!protocols.has(call) && !this.functions.has(call) && !/[@:]/.test(call))
      this.reportUnknown(call, path);
    return `call: ${call}`;
  }

  private reportUnknown(call: string, path: string): void {
    const message = isExpression(call)
      ? 'The call is an expression: whether it calls a tool shows only when the workflow runs.'
      : `There is no function ${call} in use.functions, and no protocol of this name.`;
    const code = isExpression(call) ? 'workflow_tool_expression' : 'workflow_function_unknown';
    this.report('warning', `${path}/call`, code, message);
  }
}
