import { below, isObject, type Json, type JsonObject } from '../../documents/json.js';
import {
  resultSchema,
  writtenOperation,
  type ApiSchema,
  type WrittenOperation,
} from '../../formats/shared.js';
import type { Fault } from '../../kernel/errors.js';
import { faultsOf } from '../../platform/validation/faults.js';
import { BoundedAjv, type Check } from '../../platform/validation/validator.js';
import {
  notLast,
  notReadOnly,
  templateOf,
  type Alternative,
  type CompositeCall,
  type CompositeStep,
} from './composite-call.js';
import {
  MOST_FAULTS,
  scopeOf,
  untriedArguments,
  variableFaults,
  variablesOf,
  type TriedCall,
} from './graphql-call.js';
import { UnionSchema } from './narrowed-schema.js';
import { sampleValues } from './sample-values.js';
import { partAt, referencesIn, type Scope } from './template.js';

/** What the catalog knows of an endpoint that a step calls. */
export interface EndpointShape {
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly readOnly: boolean;
}

/** What the APIs of a composite say: schemas by the name of the API as the steps write it, endpoints by that and their key. */
export interface CompositeFacts {
  readonly apis: ReadonlyMap<string, ApiSchema>;
  readonly endpoints: ReadonlyMap<string, EndpointShape>;
}

export const endpointName = (api: string, endpoint: string): string => `${api} ${endpoint}`;

/** What a step comes to. */
export interface CheckedStep {
  readonly changes: boolean;
  /** Of GraphQL. */
  readonly cost?: number;
  /** Endpoint keys of the fields at the root of its operation. */
  readonly roots: readonly string[];
}

export interface CheckedComposite extends TriedCall {
  /** Of each alternative, of each step. */
  readonly steps: readonly (readonly CheckedStep[])[];
}

/**
 * Holds every step of a composite against its API: each operation as one that stands alone, and what the mapping makes of all shapes of
 * the arguments and of the results before it against the types that it goes to.
 */
export function checkComposite(
  composite: CompositeCall,
  { inputSchema, readOnlyHint }: { readonly inputSchema: JsonObject; readonly readOnlyHint: boolean },
  facts: CompositeFacts,
): CheckedComposite {
  const union = new UnionSchema(inputSchema, composite.by);
  const checked = composite.alternatives.map((alternative, place) =>
    new AlternativeCheck(facts, inputSchema, below('/composite/alternatives', place)).of(
      alternative,
      union.narrowedTo(alternative.when),
    ),
  );
  const isChanging = checked.some(({ steps }) => steps.some(({ changes }) => changes));
  return {
    faults: [
      ...checked.flatMap(({ faults }) => faults),
      ...(readOnlyHint && isChanging ? [notReadOnly] : []),
    ].slice(0, MOST_FAULTS),
    untried: distinct(checked.flatMap(({ untried }) => untried)).slice(0, MOST_FAULTS),
    steps: checked.map(({ steps }) => steps),
  };
}

interface CheckedAlternative extends TriedCall {
  readonly steps: readonly CheckedStep[];
}

class AlternativeCheck {
  private readonly faults: Fault[] = [];
  private readonly untried: Fault[] = [];
  private args: readonly JsonObject[] = [];
  /** Shapes of the results of the steps before, by step. */
  private readonly results = new Map<string, readonly Json[]>();

  constructor(
    private readonly facts: CompositeFacts,
    private readonly inputSchema: JsonObject,
    private readonly pointer: string,
  ) {}

  of({ when, steps }: Alternative, narrowed: JsonObject | undefined): CheckedAlternative {
    const asked = steps.flatMap((step) =>
      referencesIn(templateOf(step).template, '').flatMap(({ path }) => path),
    );
    const args = narrowed === undefined ? [] : sampleValues(narrowed, asked);
    if (args === undefined) return { faults: [], untried: [untriedArguments], steps: [] };
    this.args = args.filter(isObject);
    if (this.args.length === 0) {
      const detail = `no arguments have ${when}: inputSchema takes none`;
      return { faults: [{ pointer: below(this.pointer, 'when'), detail }], untried: [], steps: [] };
    }
    const checked: CheckedStep[] = [];
    for (const [place, step] of steps.entries()) {
      const at = below(this.pointer, 'steps', place);
      const found = this.step(step, at, asked);
      if (found === undefined) break;
      checked.push(found);
      if (found.changes && place < steps.length - 1)
        this.faults.push({ pointer: at, detail: notLast(at).detail });
    }
    return { faults: this.faults, untried: this.untried, steps: checked };
  }

  /** Undefined where the step can't be read, or its result not be tried, so that nothing is known of those after it. */
  private step(step: CompositeStep, at: string, asked: readonly string[]): CheckedStep | undefined {
    const { graphql, endpoint, id } = step;
    const checked = graphql === undefined ? this.endpoint(step, at) : this.operation(graphql, at);
    if (checked === undefined) return undefined;
    this.references(step, at);
    const { shape, ...found } = checked;
    const needed = (step.needs ?? []).map((path) => path.split('.'));
    const shapes = shape === undefined ? [] : sampleValues(shape, [...asked, ...needed.flat()]);
    if (shapes === undefined) {
      this.untried.push(untriedResult(step, at));
      return undefined;
    }
    const going = shapes.filter((value) => needed.every((path) => (partAt(value, path) ?? null) !== null));
    if (needed.length > 0 && going.length === 0)
      this.faults.push({ pointer: below(at, 'needs'), detail: this.nothingAt(id, shape) });
    this.results.set(id, going);
    if (endpoint?.result !== undefined && found.changes)
      this.faults.push({
        pointer: below(at, 'endpoint', 'result'),
        detail: 'is for steps that others follow',
      });
    return found;
  }

  private operation(call: NonNullable<CompositeStep['graphql']>, at: string) {
    const schema = this.facts.apis.get(call.api);
    if (schema === undefined) return undefined;
    const operation = writtenOperation(call, schema);
    if (!('cost' in operation)) {
      this.faults.push(
        ...operation.map((detail) => ({ pointer: below(at, 'graphql', 'operation'), detail })),
      );
      return undefined;
    }
    const pointer = below(at, 'graphql', 'variables');
    this.faults.push(...variableFaults(operation, call, this.scopes(), pointer));
    const { cost } = operation;
    return { ...rootsOf(operation), cost, shape: resultSchema(schema, operation) };
  }

  private endpoint({ endpoint: call }: CompositeStep, at: string) {
    const known = call && this.facts.endpoints.get(endpointName(call.api, call.endpoint));
    if (call === undefined || known === undefined) return undefined;
    const pointer = below(at, 'endpoint', 'arguments');
    const check = compiled(known.inputSchema);
    const names = objectKeys(known.inputSchema);
    const found = new Set(
      Object.keys(call.arguments ?? {})
        .filter((name) => !names.has(name))
        .map((name) => `has no argument ${name}`),
    );
    for (const scope of this.scopes()) {
      if (check === undefined || found.size >= MOST_FAULTS) break;
      const sent = variablesOf({ variables: call.arguments ?? {}, keepNull: call.keepNull ?? [] }, scope);
      for (const { pointer: place, detail } of faultsOf(check(sent))) found.add(`${place} ${detail}`.trim());
    }
    this.faults.push(
      ...[...found].map((fault) => ({
        pointer,
        detail: `${call.endpoint}: ${fault}; say in inputSchema what may come, or map it otherwise.`,
      })),
    );
    const shape = call.result ?? known.outputSchema;
    return { changes: !known.readOnly, roots: [], ...(shape !== undefined && { shape }) };
  }

  /** All arguments with the first result of each step before, and each result with the first arguments. */
  private *scopes(): Generator<Scope> {
    const [first = {}] = this.args;
    const firsts = Object.fromEntries(
      [...this.results].flatMap(([id, [value]]) => (value === undefined ? [] : [[id, value]])),
    );
    for (const args of this.args) yield { ...scopeOf(this.inputSchema, args), ...firsts };
    const scope = scopeOf(this.inputSchema, first);
    for (const [id, values] of this.results)
      for (const value of values.slice(1)) yield { ...scope, ...firsts, [id]: value };
  }

  /** A reference that finds nothing in any shape is a mistake, whatever the types say of what is left out. */
  private references(step: CompositeStep, at: string): void {
    const { template, member } = templateOf(step);
    const scopes = [...this.scopes()];
    for (const { name, path, pointer } of referencesIn(template, below(at, ...member))) {
      if (scopes.some((scope) => partAt(scope, [name, ...path]) !== undefined)) continue;
      const whole = [name, ...path].join('.');
      const detail = this.results.has(name)
        ? `$${whole}: ${this.nothingAt(name, this.results.get(name)?.length === 0 ? undefined : {})}`
        : `$${whole} is never there: inputSchema has no such part`;
      this.faults.push({ pointer, detail });
    }
  }

  private nothingAt(id: string, shape: JsonObject | undefined): string {
    return shape === undefined
      ? `nobody knows what ${id} answers: say its shape in \`result\``
      : `what ${id} answers has no such part`;
  }
}

function untriedResult({ id, graphql }: CompositeStep, at: string): Fault {
  const tooOften = `what ${id} answers branches too often to be tried`;
  return graphql === undefined
    ? { pointer: below(at, 'endpoint', 'result'), detail: `${tooOften}: say a shape of fewer alternatives` }
    : { pointer: below(at, 'graphql', 'operation'), detail: `${tooOften}: ask for fewer fields` };
}

const distinct = (faults: readonly Fault[]): readonly Fault[] => [
  ...new Map(faults.map((fault) => [fault.pointer, fault])).values(),
];

function rootsOf({ kind, endpoints }: WrittenOperation): Pick<CheckedStep, 'changes' | 'roots'> {
  return { changes: kind === 'mutation', roots: endpoints };
}

const objectKeys = (schema: JsonObject): ReadonlySet<string> =>
  new Set(isObject(schema['properties']) ? Object.keys(schema['properties']) : []);

const compilations = { strict: false, validateFormats: false } as const;

/** The check of an endpoint's arguments, but for patterns: of texts the samples know lengths alone, and the gateway looks again. */
function compiled(schema: JsonObject): Check | undefined {
  try {
    return new BoundedAjv(compilations).compile(withoutPatterns(schema, 0) as JsonObject);
  } catch {
    return undefined;
  }
}

function withoutPatterns(schema: Json, depth: number): Json {
  if (Array.isArray(schema))
    return (schema as readonly Json[]).map((each) => withoutPatterns(each, depth + 1));
  if (!isObject(schema) || depth > 64) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, inner]): [string, Json][] =>
      name === 'pattern' && typeof inner === 'string' ? [] : [[name, withoutPatterns(inner, depth + 1)]],
    ),
  );
}
