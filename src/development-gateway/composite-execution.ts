/** The tool layer of one tool over several operations: the steps of the alternative that the arguments choose, in their order. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Json, JsonObject } from '../documents/json.js';
import type { RouterOperation, RouterStep, RouterTool } from '../gateways/shared.js';
import { partAt, type Scope, scopeOf, variablesOf } from '../registry/shared.js';
import { argumentFaults } from './argument-check.js';
import { type Arguments, CallFault, graphqlData, jsonResult } from './call-result.js';
import { requestEndpoint } from './endpoint-request.js';
import { resultFaults } from './schema-faults.js';
import { postGraphql } from './graphql-request.js';
import type { Target } from './target.js';

/** What a step has answered: as the tool would tell it, and for the steps after it. */
interface Answer {
  readonly result: CallToolResult;
  /** Undefined where it is no JSON. */
  readonly value?: unknown;
}

/** Makes a request where the step goes. Throws CallFault. */
export type Send = <T>(step: RouterStep, work: (target: Target) => Promise<T>) => Promise<T>;

/** What was sent of a composite: the operations, in their order. */
export interface CarriedOut {
  /** The last that was tried. */
  operation: string;
  /** Of all that were tried, where they are of GraphQL. */
  cost?: number;
  readonly steps: string[];
}

/** The name by which a failure, the log and the span tell of a step. */
export const operationOf = ({ id, graphql, endpoint }: RouterStep): string =>
  graphql?.field ?? endpoint?.name ?? id;

/** The steps that the arguments choose. Throws CallFault `no_operation`, `invalid_arguments`. */
export function stepsChosen({ name, composite }: RouterTool, args: Arguments): readonly RouterStep[] {
  if (composite === undefined)
    throw new CallFault('no_operation', `The gateway knows no operations for ${name}: expose it again.`);
  const { by, alternatives } = composite;
  const found = alternatives.find(({ when }) => Object.hasOwn(args, by) && args[by] === when);
  if (found !== undefined) return found.steps;
  const values = alternatives.map(({ when }) => when).join(', ');
  throw new CallFault('invalid_arguments', `/${by} must be one of ${values}`);
}

/**
 * Carries out the steps one after the other, and answers what the last one does. Throws CallFault, which names the operation that failed
 * and says what was done before it.
 *
 * @param tried is told of each step before it is sent
 */
export async function carryOutSteps(
  tool: RouterTool,
  { steps, args }: { readonly steps: readonly RouterStep[]; readonly args: Arguments },
  send: Send,
  tried: CarriedOut,
): Promise<CallToolResult> {
  const { inputSchema, outputSchema } = tool;
  let scope = scopeOf(inputSchema as JsonObject, args as JsonObject);
  let last: CallToolResult | undefined;
  for (const [place, step] of steps.entries()) {
    const done = [...tried.steps];
    tried.operation = operationOf(step);
    try {
      const answer = await answered(step, { scope, tried, send });
      refuseUnfit(step, answer, place === steps.length - 1 ? outputSchema : undefined);
      scope = { ...scope, ...(answer.value !== undefined && { [step.id]: answer.value as Json }) };
      last = answer.result;
    } catch (error) {
      throw error instanceof CallFault ? faultAt(error, step, done) : error;
    }
  }
  if (last === undefined) throw new CallFault('no_operation', `The gateway knows no steps for ${tool.name}.`);
  return last;
}

async function answered(
  step: RouterStep,
  { scope, tried, send }: { readonly scope: Scope; readonly tried: CarriedOut; readonly send: Send },
): Promise<Answer> {
  const { graphql, endpoint } = step;
  const sent = <T>(work: (target: Target) => Promise<T>): Promise<T> => {
    tried.steps.push(operationOf(step));
    if (graphql?.cost !== undefined) tried.cost = (tried.cost ?? 0) + graphql.cost;
    return send(step, work);
  };
  if (graphql !== undefined) return sent((target) => graphqlAnswer(graphql, scope, target));
  if (endpoint === undefined) throw new CallFault('no_operation', 'The gateway knows no operation for it.');
  const { arguments: template, keepNull = [], inputSchema } = endpoint;
  const args = variablesOf({ variables: template, keepNull }, scope);
  const faults = argumentFaults(inputSchema, args);
  if (faults.length > 0) throw new CallFault('invalid_arguments', faults.join('; '));
  return sent((target) => requestEndpoint(endpoint, args, target));
}

async function graphqlAnswer(graphql: RouterOperation, scope: Scope, target: Target): Promise<Answer> {
  const { document: query, operationName, variables = {}, keepNull = [] } = graphql;
  const answer = await postGraphql(target, {
    query,
    ...(operationName !== undefined && { operationName }),
    variables: variablesOf({ variables, keepNull }, scope),
  });
  const value = graphqlData({ path: '', graphql }, answer);
  return { value, result: jsonResult(value) };
}

/** Refuses an answer that lacks what the step needs, or has not the shape that the author of the tool says. */
function refuseUnfit(
  { needs = [], graphql, endpoint }: RouterStep,
  { value }: Answer,
  outputSchema: RouterTool['outputSchema'],
): void {
  const code = graphql === undefined ? 'result_unfit' : 'answer_unfit';
  for (const [shape, whose] of [
    [endpoint?.result, 'step'],
    [outputSchema, 'tool'],
  ] as const) {
    const [fault] = shape === undefined ? [] : resultFaults(shape, value ?? null);
    if (fault !== undefined)
      throw new CallFault(
        code,
        `It was carried out, and its result has not the shape that the ${whose} says: ${fault}`,
      );
  }
  const missing = needs.find((path) => (partAt(value as Json | undefined, path.split('.')) ?? null) === null);
  if (missing !== undefined) throw new CallFault('needs_missing', `It answered no ${missing}`);
}

/** The fault with the operation that failed, what was done before it, and whether anything may have changed. */
function faultAt(fault: CallFault, step: RouterStep, done: readonly string[]): CallFault {
  const operation = operationOf(step);
  const changed = mayHaveChanged(fault, step) ? 'unknown' : 'nothing';
  const sentences = [
    `${operation}: ${fault.message.replace(/\.$/, '')}`,
    ...(done.length > 0 ? [`Done before it: ${done.join(', ')}`] : []),
    afterwards(step, operation, changed),
  ];
  return new CallFault(fault.code, `${sentences.join('. ')}.`, { operation, done, changed }, fault.isPartial);
}

function afterwards({ changes }: RouterStep, operation: string, changed: 'unknown' | 'nothing'): string {
  if (!changes) return 'Nothing was changed';
  return changed === 'nothing'
    ? 'Nothing else was done, and nothing was changed'
    : `Whether ${operation} has changed something is not known; nothing else was done`;
}

/**
 * Only an operation that says no itself and answers nothing beside that, and one that was not sent or was refused, has surely changed
 * nothing. A server that says 408 may have begun.
 */
function mayHaveChanged({ code, level, isPartial }: CallFault, { changes }: RouterStep): boolean {
  if (!changes || level === 'service') return false;
  return code === 'payload_errors' ? isPartial : !/^http_4(?!08)\d\d$/.test(code);
}
