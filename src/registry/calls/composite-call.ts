import type { Fault } from '../../documents/findings.js';
import { below, type Json, type JsonObject } from '../../documents/json.js';
import { readOperation } from '../../formats/shared.js';
import { schemaFaults } from '../specs/tool-schema-check.js';
import { endpointsCalled, type GraphqlCall, type KeptCall, writtenCall } from './graphql-call.js';
import { parameterNames, UnionSchema } from './narrowed-schema.js';
import { inheritedStep, referencesIn, type Reference } from './template.js';

/** One tool over several operations: which of them a call carries out, one of its parameters says. */
export interface CompositeCall {
  readonly by: string;
  readonly alternatives: readonly Alternative[];
}

/** What a call carries out where the parameter has the value: its steps in their order, and the last one's result is the tool's. */
export interface Alternative {
  readonly when: string;
  readonly steps: readonly CompositeStep[];
}

/** One request, of GraphQL or of an endpoint. */
export interface CompositeStep {
  /** Names its result for the steps after it. */
  readonly id: string;
  readonly graphql?: GraphqlCall;
  readonly endpoint?: EndpointCall;
  /** Paths into its result without which there is nothing to go on with. */
  readonly needs?: readonly string[];
}

/** A request to an endpoint of the catalog. */
export interface EndpointCall {
  /** The apiId of the API, or apiId@version. */
  readonly api: string;
  /** Its key, like /tickets/{id}@get. */
  readonly endpoint: string;
  readonly arguments?: JsonObject;
  readonly keepNull?: readonly string[];
  /** The shape of its answer, where its document does not say it; it is held against it. */
  readonly result?: JsonObject;
}

/** What is kept of a composite with a version of a tool. */
export interface KeptComposite {
  readonly by: string;
  readonly alternatives: readonly { readonly when: string; readonly steps: readonly KeptStep[] }[];
}

export interface KeptStep {
  readonly id: string;
  readonly needs?: readonly string[];
  /** Whether it may change something. */
  readonly changes: boolean;
  readonly graphql?: KeptCall;
  readonly endpoint?: KeptEndpointCall;
}

export interface KeptEndpointCall extends EndpointCall {
  readonly apiVersionId: string;
  readonly endpointId: string;
}

/** The ids of the endpoints that a call may reach, whatever its arguments: guards of the tool follow from all of them. */
export function endpointsReached(call: KeptCall | KeptComposite): readonly string[] {
  if (!('alternatives' in call)) return endpointsCalled(call);
  const reached = call.alternatives.flatMap(({ steps }) =>
    steps.flatMap(({ graphql, endpoint }) => [
      ...(graphql === undefined ? [] : endpointsCalled(graphql)),
      ...(endpoint === undefined ? [] : [endpoint.endpointId]),
    ]),
  );
  return [...new Set(reached)];
}

/** The composite as a spec says it. */
export function writtenComposite({ by, alternatives }: KeptComposite): CompositeCall {
  return {
    by,
    alternatives: alternatives.map(({ when, steps }) => ({
      when,
      steps: steps.map(({ changes: _, graphql, endpoint, ...step }) => ({
        ...step,
        ...(graphql !== undefined && { graphql: writtenCall(graphql) }),
        ...(endpoint !== undefined && { endpoint: writtenEndpoint(endpoint) }),
      })),
    })),
  };
}

function writtenEndpoint({ apiVersionId: _, endpointId: __, ...written }: KeptEndpointCall): EndpointCall {
  return written;
}

type RuleFault = Fault & { readonly rule: string };

interface Described {
  readonly inputSchema: JsonObject;
  readonly annotations: { readonly readOnlyHint?: boolean };
}

/** The template of a step, and its place below the step. */
export function templateOf({ graphql, endpoint }: CompositeStep): {
  readonly template: JsonObject | undefined;
  readonly member: readonly [string, string];
  readonly keepNull: readonly string[];
} {
  return graphql === undefined
    ? {
        template: endpoint?.arguments,
        member: ['endpoint', 'arguments'],
        keepNull: endpoint?.keepNull ?? [],
      }
    : { template: graphql.variables, member: ['graphql', 'variables'], keepNull: graphql.keepNull ?? [] };
}

/**
 * Lists what is wrong with a composite by itself: its alternatives are exactly the values of its parameter, each step uses parameters and
 * results of steps before it, and only the last may be a mutation. What its APIs make of it is looked at when it is pushed.
 */
export function compositeFaults(composite: CompositeCall, spec: Described): RuleFault[] {
  const union = new UnionSchema(spec.inputSchema, composite.by);
  const choices = choiceFaults(composite, union);
  const alternatives = composite.alternatives.flatMap((alternative, place) => {
    const pointer = below('/composite/alternatives', place);
    const narrowed = union.narrowedTo(alternative.when);
    return stepFaults(alternative, pointer, parameterNames(narrowed ?? spec.inputSchema));
  });
  if (union.isTooLarge)
    return [
      {
        rule: 'composite',
        pointer: '/inputSchema',
        detail: 'has too many branches to tell the alternatives apart',
      },
    ];
  return [...choices, ...alternatives, ...changeFaults(composite, spec)];
}

function choiceFaults({ by, alternatives }: CompositeCall, union: UnionSchema): RuleFault[] {
  const values = union.choices() ?? [];
  const choices = values.filter((each) => typeof each === 'string');
  const at = '/composite/by';
  if (choices.length === 0 || choices.length < values.length) {
    const detail = `${by} must be a parameter of which inputSchema lists the values, all of them texts: by enum, or by const in each branch of oneOf`;
    return [{ rule: 'alternatives', pointer: at, detail }];
  }
  const faults: RuleFault[] = [];
  if (!union.isRequired())
    faults.push({
      rule: 'alternatives',
      pointer: at,
      detail: `${by} must be required: it says what is done`,
    });
  const seen = new Set<string>();
  for (const [place, { when }] of alternatives.entries()) {
    const pointer = below('/composite/alternatives', place, 'when');
    if (seen.has(when))
      faults.push({ rule: 'alternative_twice', pointer, detail: `${when} has an alternative already` });
    else if (!choices.includes(when))
      faults.push({
        rule: 'unreachable',
        pointer,
        detail: `no arguments have ${by} ${when}: it is one of ${choices.join(', ')}`,
      });
    seen.add(when);
  }
  const missing = choices.filter((each) => !seen.has(each));
  if (missing.length > 0) {
    const detail = `lack one for ${missing.join(', ')}, which ${by} may be`;
    faults.push({ rule: 'alternatives', pointer: '/composite/alternatives', detail });
  }
  return faults;
}

function stepFaults({ steps }: Alternative, pointer: string, parameters: ReadonlySet<string>): RuleFault[] {
  const before = new Set<string>();
  const all = new Set(steps.map(({ id }) => id));
  return steps.flatMap((step, place) => {
    const at = below(pointer, 'steps', place);
    const { template, member } = templateOf(step);
    const known = { parameters, before: new Set(before), all };
    const faults = [
      ...formFaults(step, at),
      ...(step.endpoint?.result === undefined
        ? []
        : schemaFaults(step.endpoint.result, below(at, 'endpoint', 'result')).map((fault) => ({
            ...{ rule: 'schema', ...fault },
          }))),
      ...(step.graphql === undefined ? [] : writtenFaults(step.graphql, below(at, 'graphql', 'operation'))),
      ...referenceFaults(template, below(at, ...member), known),
      ...(step.needs ?? []).flatMap((path, index) =>
        inheritedFault({ name: step.id, path: path.split('.'), pointer: below(at, 'needs', index) }),
      ),
    ];
    if (
      parameters.has(step.id) ||
      before.has(step.id) ||
      inheritedStep({ name: step.id, path: [] }) !== undefined
    ) {
      const detail = `${step.id} is a parameter or a step already, or a name that every object has`;
      faults.push({ rule: 'step_twice', pointer: below(at, 'id'), detail });
    }
    before.add(step.id);
    return faults;
  });
}

function formFaults({ graphql, endpoint }: CompositeStep, pointer: string): RuleFault[] {
  if ((graphql === undefined) !== (endpoint === undefined)) return [];
  return [{ rule: 'step', pointer, detail: 'must say either graphql or endpoint: what it carries out' }];
}

function writtenFaults(graphql: GraphqlCall, pointer: string): RuleFault[] {
  const read = readOperation(graphql);
  return typeof read === 'string' ? [{ rule: 'graphql', pointer, detail: read }] : [];
}

interface Known {
  readonly parameters: ReadonlySet<string>;
  readonly before: ReadonlySet<string>;
  /** Steps of the alternative, before and after. */
  readonly all: ReadonlySet<string>;
}

/** References that lead to no parameter and to no step before, or to what every object has. */
export function referenceFaults(template: Json | undefined, pointer: string, known: Known): RuleFault[] {
  const { parameters, before, all } = known;
  return referencesIn(template, pointer).flatMap((reference) => {
    const { name, pointer: at } = reference;
    if (parameters.has(name) || before.has(name)) return inheritedFault(reference);
    const later = `$${name} is the result of this step or of a later one, which is not there yet`;
    const unknown = `$${name} is no parameter, nor a step before; the parameters are ${[...parameters].join(', ') || 'none'}`;
    return [{ rule: 'reference', pointer: at, detail: all.has(name) ? later : unknown }];
  });
}

function inheritedFault(reference: Reference): RuleFault[] {
  const step = inheritedStep(reference);
  if (step === undefined) return [];
  const detail = `$${[reference.name, ...reference.path].join('.')} leads to ${step}, which is no part of the data`;
  return [{ rule: 'reference', pointer: reference.pointer, detail }];
}

/** Of endpoints only the catalog knows what they do. */
function changeFaults({ alternatives }: CompositeCall, { annotations }: Described): RuleFault[] {
  const mutations = alternatives.flatMap(({ steps }, place) =>
    steps.flatMap(({ graphql }, index) =>
      graphql !== undefined && isMutation(graphql)
        ? [
            {
              isLast: index === steps.length - 1,
              pointer: below('/composite/alternatives', place, 'steps', index),
            },
          ]
        : [],
    ),
  );
  return [
    ...mutations.filter(({ isLast }) => !isLast).map(({ pointer }) => notLast(pointer)),
    ...(mutations.length > 0 && annotations.readOnlyHint === true
      ? [{ rule: 'composite', ...notReadOnly }]
      : []),
  ];
}

/** A step that changes something before another. */
export function notLast(pointer: string): RuleFault {
  return {
    ...{ rule: 'changes', pointer },
    detail: 'changes something, and is not the last step: one call changes one thing, after what it reads',
  };
}

export const notReadOnly: Fault = {
  pointer: '/annotations/readOnlyHint',
  detail: 'is false: one of the alternatives changes something',
};

function isMutation(graphql: GraphqlCall): boolean {
  const read = readOperation(graphql);
  return typeof read !== 'string' && read.kind === 'mutation';
}
