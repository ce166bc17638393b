import { asText, meansText } from '../../../packages/schema-reading/keywords.js';
import { isTooLong } from '../../../packages/schema-reading/long-numbers.js';
import { below, member, textMember, textsOf, type Json, type JsonObject } from '../../documents/json.js';
import type { ParameterRoute } from '../format.js';
import { conditionsOf } from '../schema/conditions.js';
import { newTrace, type Copied, type SchemaCopier } from '../schema/copier.js';
import { enumText, joined } from '../schema/enum-texts.js';
import { tooLong } from '../schema/faults.js';
import type { Location, Parameter } from './parameters.js';
import type { RequestBody } from './content.js';
import { bothOf } from '../schema/choices.js';
import type { ObjectShape } from '../schema/shape.js';

export interface LogicalInput {
  readonly copied: Copied;
  readonly routes: Record<string, ParameterRoute>;
}

/** Who keeps a name that several have; the body comes before all. */
const ORDER: readonly Location[] = ['path', 'query', 'header', 'cookie'];

/**
 * Merges what an operation takes into one object schema: on a clash the body keeps the name and the other becomes
 * `<name>__<location>`; a body that is no object, or is required and has no members that are sent, is the property `body`.
 * Arguments that the schema does not name go into the body where that is open, and are refused where there is none.
 */
export function logicalInput(
  parameters: readonly Parameter[],
  body: RequestBody | undefined,
  copier: SchemaCopier,
): LogicalInput {
  const names = bodyNames(body, copier);
  const shape = names.size > 0 || body?.required !== true ? body?.shape : undefined;
  const merger = new InputMerger(copier, shape === undefined && body ? new Set(['body']) : names);
  for (const location of ORDER) {
    for (const parameter of parameters) if (parameter.location === location) merger.addParameter(parameter);
  }
  if (body && shape) merger.addMerged(body, shape);
  else if (body) merger.addWhole(body);
  return merger.result(body);
}

/** Of what is sent: names of properties that only answers have are free. */
function bodyNames(body: RequestBody | undefined, copier: SchemaCopier): ReadonlySet<string> {
  if (body?.shape === undefined) return new Set();
  const hidden = copier.hidden.of(asObject(body.shape));
  return new Set([...body.shape.properties.keys()].filter((name) => !hidden.has(name)));
}

function asObject({ properties, required, additional }: ObjectShape): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: [...required],
    ...(additional !== undefined && { additionalProperties: additional }),
  };
}

/** What a schema that is a reference leads to. */
function schemaIn(schema: Json, { source }: SchemaCopier): Json {
  const reference = textMember(schema, '$ref');
  const target = reference === undefined ? undefined : source.find(reference);
  return target?.kind === 'local' ? target.schema : schema;
}

class InputMerger {
  private readonly properties: JsonObject = {};
  private readonly required: string[] = [];
  private readonly routes: Record<string, ParameterRoute> = {};
  private readonly extra: JsonObject = {};
  private readonly trace = newTrace();

  constructor(
    private readonly copier: SchemaCopier,
    private readonly bodyNames: ReadonlySet<string>,
  ) {}

  addParameter({ name, location, required, schema, pointer, route, notes }: Parameter): void {
    const free = this.freeName(name, location);
    const copied = this.copier.copy(schema, pointer, this.trace);
    const { examples: given = [], ...noted } = notes;
    const shown = meansText(copied['type']) && Array.isArray(given) ? given.map(asText) : given;
    const isLong = isTooLong('examples', shown, copied['type']);
    if (isLong) this.copier.warnings.warn(tooLong.code, pointer, tooLong.detail);
    const own = notes['examples'] === undefined || isLong ? undefined : shown;
    const examples = copied['examples'] ?? own;
    const values = noted['description'] === undefined ? undefined : enumText(schemaIn(schema, this.copier));
    if (values !== undefined) noted['description'] = joined(noted['description'], values);
    this.properties[free] = { ...copied, ...noted, ...(examples !== undefined && { examples }) };
    this.routes[free] = route;
    if (required) this.required.push(free);
  }

  private freeName(name: string, location: Location): string {
    const isTaken = (candidate: string) =>
      this.bodyNames.has(candidate) || Object.hasOwn(this.properties, candidate);
    if (!isTaken(name)) return name;
    let free = `${name}__${location}`;
    while (isTaken(free)) free += '_';
    return free;
  }

  addMerged(body: RequestBody, shape: ObjectShape): void {
    const copy = this.copier.copy(asObject(shape), body.pointer, this.trace);
    const names = Object.keys(copy['properties'] as JsonObject);
    const others = Object.keys(this.properties).length;
    const isCounted = others === this.required.length;
    const needed = textsOf(copy, 'required').filter((name) => names.includes(name));
    const always = body.required && needed.length === 0;
    for (const name of names) {
      this.properties[name] = member(copy['properties'], name) ?? {};
      this.routes[name] = { ...body.routeOf(name), ...(always && { always }) };
    }
    if (body.required) this.required.push(...needed);
    else this.requireTogether(names, needed);
    const isClosed = shape.additional === false;
    const least = body.required && needed.length < (shape.least ?? 0) ? (shape.least ?? 0) : 0;
    // Where an optional parameter may be one of those that are counted, the members are named, if there are no others.
    const each = least === 1 && !isCounted && isClosed ? names.map((name) => [name]) : undefined;
    if (least > 0 && isCounted) this.extra['minProperties'] = others + least;
    const choices = bothOf(shape.choices, each);
    const sent = body.required ? undefined : names;
    Object.assign(
      this.extra,
      conditionsOf({ shape, choices, given: needed, possible: names, sent, isClosed }),
    );
    if (copy['additionalProperties'] !== undefined) {
      this.extra['additionalProperties'] = copy['additionalProperties'];
    }
  }

  /** A body that may be left out is complete where it is sent: each of its properties asks for the required ones. */
  private requireTogether(names: readonly string[], needed: readonly string[]): void {
    const entries = names
      .map((name): [string, string[]] => [name, needed.filter((other) => other !== name)])
      .filter(([, others]) => others.length > 0);
    if (entries.length > 0) this.extra['dependentRequired'] = Object.fromEntries(entries);
  }

  addWhole(body: RequestBody): void {
    const copied = this.copier.copy(body.schema, below(body.pointer), this.trace);
    const description = copied['description'] ?? body.description;
    this.properties['body'] = {
      ...(body.examples.length > 0 && { examples: [...body.examples] }),
      ...copied,
      ...(description !== undefined && { description }),
    };
    this.routes['body'] = { ...body.routeOf('body'), name: '' };
    if (body.required) this.required.push('body');
    this.extra['additionalProperties'] = false;
  }

  result(body: RequestBody | undefined): LogicalInput {
    const schema: JsonObject = {
      type: 'object',
      properties: this.properties,
      ...(this.required.length > 0 && { required: this.required }),
      ...this.extra,
      ...(body === undefined && { additionalProperties: false }),
    };
    return { copied: { schema, trace: this.trace }, routes: this.routes };
  }
}
