import type { WarningSink } from '../../documents/findings.js';
import { entriesOf, isObject, type Json, type JsonObject } from '../../documents/json.js';
import type { DescribedOperation, ParameterRoute } from '../format.js';
import { fitArguments } from '../naming.js';
import { LARGE_DEFINITION, largeDefinition } from './definition-size.js';
import { withNames } from './fitting-names.js';
import { fitRoot } from './fitting-root.js';
import { fitValues } from './fitting-values.js';

/**
 * Makes the input schema of an operation fit every maker of models, whatever format it was read from (docs/decisions/0102): the
 * root is an object without a choice, arguments have names that are taken, arrays have items, and nothing in it is
 * impossible. The names on the wire stay in the routing.
 */
export function fitOperation(operation: DescribedOperation, warnings: WarningSink): DescribedOperation {
  const { facts } = operation;
  if (!isObject(facts.inputSchema)) return operation;
  const changes = new Set<string>();
  const root = fitRoot(facts.inputSchema, changes);
  const inputSchema = fitValues(root, changes);
  const names = fitArguments(entriesOf(inputSchema['properties']).map(([name]) => name));
  const report = (code: string, detail: string): void => {
    warnings.warn(code, operation.pointer ?? '', `${operation.endpoint}: ${detail}`);
  };
  if (changes.size > 0) {
    const detail = `Makers of models refuse its input schema as it is, or no arguments fit it: ${[...changes].join('; ')}.`;
    report('input_schema_fitted', detail);
  }
  if (names.size > 0)
    report(
      'argument_renamed',
      `models take no such names of arguments: ${listed(names)}. Calls use the API’s own.`,
    );
  return { ...operation, facts: { ...facts, ...withArguments(facts, inputSchema, names) } };
}

/** Renames that a warning names. */
const MAX_NAMED = 5;

function listed(names: ReadonlyMap<string, string>): string {
  const shown = [...names]
    .slice(0, MAX_NAMED)
    .map(([name, fitted]) => `"${name.slice(0, 80)}" is offered as "${fitted}"`);
  return shown.join(', ') + (names.size > MAX_NAMED ? ` and ${String(names.size - MAX_NAMED)} more` : '');
}

type Facts = DescribedOperation['facts'];

/** The facts that speak of arguments by name: each that is called by name has a route, also one of an alternative. */
function withArguments(
  { method, routing = {}, extras }: Facts,
  inputSchema: JsonObject,
  names: ReadonlyMap<string, string>,
): Partial<Facts> {
  const { parameters = {}, contextRequirements } = routing;
  const place = method === 'call' ? 'argument' : 'body';
  const unrouted = entriesOf(inputSchema['properties'])
    .map(([name]) => name)
    .filter((name) => !Object.hasOwn(parameters, name) && (place === 'argument' || names.has(name)));
  if (names.size === 0 && unrouted.length === 0) return { inputSchema };
  const own = (name: string): string => names.get(name) ?? name;
  const routes = [
    ...Object.entries(parameters),
    ...unrouted.map((name): [string, ParameterRoute] => [name, { in: place, name }]),
  ];
  const inputs = contextRequirements?.requiredInputs;
  const order = extras?.['paramOrder'];
  return {
    inputSchema: names.size === 0 ? inputSchema : withNames(inputSchema, names),
    routing: {
      ...routing,
      parameters: Object.fromEntries(routes.map(([name, route]) => [own(name), route])),
      ...(inputs !== undefined && {
        contextRequirements: { ...contextRequirements, requiredInputs: inputs.map(own) },
      }),
    },
    ...(Array.isArray(order) && {
      extras: {
        ...extras,
        paramOrder: order.map((name: Json) => (typeof name === 'string' ? own(name) : name)),
      },
    }),
  };
}

/**
 * Warns where the definition that a model is given is large, and says what makes it so.
 *
 * @param factsLength JSON length of all facts, which the definition is a part of
 */
export function warnOfSize(
  { endpoint, pointer = '', facts }: DescribedOperation,
  factsLength: number,
  warnings: WarningSink,
): void {
  if (factsLength <= LARGE_DEFINITION) return;
  const large = largeDefinition(facts);
  if (large !== undefined) warnings.warn('definition_large', pointer, `${endpoint}: ${large}`);
}
