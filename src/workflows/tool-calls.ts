/** The forms in which a step of a workflow calls a tool of the catalog. Pure. */
import type { Json, JsonObject } from '../documents/json.js';

/** A step that calls a tool, and what it calls it by. */
export interface ToolCall {
  /** RFC 6901 pointer to the step. */
  readonly path: string;
  /** `endpoint`: by the endpoint's id or key. */
  readonly by: 'name' | 'capabilityRef' | 'endpoint' | 'toolId';
  readonly value: string;
  /** Set where the step is marked as calling a tool that will come later, or is not of this catalog. */
  readonly dependency: 'future' | 'external' | null;
}

export interface Problem {
  readonly severity: 'error' | 'warning';
  /** RFC 6901 pointer into the definition. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export type Report = (severity: Problem['severity'], path: string, code: string, message: string) => void;

/** A tool that a step might name: columns of `tool_read` and of its endpoint. */
export interface CallableTool {
  readonly toolId: string;
  readonly name: string;
  readonly capabilityRef: string | null;
  readonly endpointId: string | null;
  readonly endpoint: string | null;
  readonly active: boolean;
}

/** Finds the tools that a call means; several where tools of several environments share a name. */
export function toolsCalled(call: ToolCall, tools: readonly CallableTool[]): readonly CallableTool[] {
  switch (call.by) {
    case 'name':
      return tools.filter(({ name }) => name === call.value);
    case 'capabilityRef':
      return tools.filter(({ capabilityRef }) => capabilityRef === call.value);
    case 'toolId':
      return tools.filter(({ toolId }) => toolId === call.value);
    case 'endpoint':
      return tools.filter(({ endpointId, endpoint }) => call.value === endpointId || call.value === endpoint);
  }
}

/** Lists the calls that name none of the tools and are not marked as future or external. */
export function callsWithoutTool(
  calls: readonly ToolCall[],
  tools: readonly CallableTool[],
): readonly ToolCall[] {
  return calls.filter((call) => call.dependency === null && toolsCalled(call, tools).length === 0);
}

/** `the tool getAccount`, `the tool of lightapi://accounts/get` */
export function named({ by, value }: ToolCall): string {
  const shown = {
    name: value,
    capabilityRef: `of lightapi://${value}`,
    endpoint: `of the endpoint ${value}`,
  };
  return `the tool ${by === 'toolId' ? value : shown[by]}`;
}

const schemes = /^lightapi:\/\//i;

/** Reads the tool calls of one step, not of the steps within it, and reports those it can't read. */
export function toolCallsOf(step: JsonObject, path: string, report: Report): readonly ToolCall[] {
  const found: Pick<ToolCall, 'by' | 'value'>[] = [];
  const add = (by: ToolCall['by'], at: string, value: Json | undefined): void => {
    const text = readName(value, `${path}${at}`, report);
    if (text !== undefined) found.push({ by, value: text });
  };
  if (step['call'] === 'mcp') readMcp(objectOf(step['with']), path, add, report);
  if (step['call'] === 'http') readHttp(step, path, add, report);
  if (step['mcp'] !== undefined) add('name', '/mcp/tool', objectOf(step['mcp'])['tool']);
  if (step['openapi'] !== undefined)
    add('endpoint', '/openapi/endpointId', objectOf(step['openapi'])['endpointId']);
  if (['call', 'mcp', 'openapi'].filter((form) => step[form] !== undefined).length > 1) {
    report('error', path, 'workflow_call_ambiguous', 'The step calls in several forms at once. Keep one.');
  }
  const dependency = dependencyOf(step, path, report);
  return found.map((call) => ({ path, ...call, dependency }));
}

type Add = (by: ToolCall['by'], at: string, value: Json | undefined) => void;

function readMcp(given: JsonObject, path: string, add: Add, report: Report): void {
  const { tool, method } = given;
  const selectors = ['tool', 'method', 'resource', 'prompt'].filter((name) => given[name] !== undefined);
  if (selectors.length > 1) {
    const message = `with.${selectors.join(' and with.')} can't stand together: keep the one that is meant.`;
    report('error', `${path}/with`, 'workflow_call_ambiguous', message);
  }
  if (selectors.length === 0) {
    const message =
      'The call names nothing. Say with.tool, or with.method: tools/call and with.parameters.name.';
    report('error', `${path}/with`, 'workflow_tool_missing', message);
  }
  if (tool !== undefined) add('name', '/with/tool', tool);
  if (method === 'tools/call') add('name', '/with/parameters/name', objectOf(given['parameters'])['name']);
  else if (method !== undefined && (typeof method !== 'string' || isExpression(method))) {
    reportExpression(`${path}/with/method`, 'The method', report);
  }
}

/** `lightapi://<capabilityRef>` as the address; other addresses are not of the catalog. */
function readHttp(step: JsonObject, path: string, add: Add, report: Report): void {
  const given = objectOf(step['with']);
  const endpoint = given['endpoint'] ?? given['uri'];
  const at = given['endpoint'] === undefined ? '/with/uri' : '/with/endpoint';
  const address = typeof endpoint === 'string' ? endpoint : objectOf(endpoint)['uri'];
  if (typeof address === 'string' && schemes.test(address.trim())) {
    add('capabilityRef', at, address.trim().replace(schemes, ''));
  } else if (typeof address === 'string' && isExpression(address)) {
    reportExpression(`${path}${at}`, 'The address', report);
  }
  const { workflowTool, endpointRef } = objectOf(step['metadata']);
  const { toolId, capabilityRef } = objectOf(workflowTool);
  if (toolId !== undefined) add('toolId', '/metadata/workflowTool/toolId', toolId);
  if (capabilityRef !== undefined)
    add('capabilityRef', '/metadata/workflowTool/capabilityRef', capabilityRef);
  if (endpointRef !== undefined) add('endpoint', '/metadata/endpointRef', endpointRef);
}

/** Gives the name, or undefined where it is known only at run time. */
function readName(value: Json | undefined, path: string, report: Report): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') {
    report('error', path, 'workflow_tool_missing', 'The call must name its tool, by a text.');
    return undefined;
  }
  if (!isExpression(value)) return value.trim();
  reportExpression(path, 'The name', report);
  return undefined;
}

function reportExpression(path: string, what: string, report: Report): void {
  const message = `${what} is an expression: whether the tool is linked shows only when the workflow runs.`;
  report('warning', path, 'workflow_tool_expression', message);
}

function dependencyOf(step: JsonObject, path: string, report: Report): ToolCall['dependency'] {
  const { dependency } = objectOf(step['metadata']);
  if (dependency === 'future' || dependency === 'external') return dependency;
  if (dependency !== undefined) {
    const message = 'A dependency is future or external; anything else says nothing.';
    report('warning', `${path}/metadata/dependency`, 'workflow_dependency_unknown', message);
  }
  return null;
}

/** `${ .name }`, `${{ name }}`, also within a longer text. */
export function isExpression(text: string): boolean {
  return text.includes('${');
}

export function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
