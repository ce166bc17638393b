import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { slices } from '../src/app.module.js';
import { canonicalJson } from '../src/kernel/canonical-json.js';

interface StoredType {
  readonly type: string;
  readonly aggregateType: string;
  readonly version: number;
  readonly schema: object;
}

/** Every type of event as it was declared by hand at version 0.1.0. */
const stored = JSON.parse(
  readFileSync(fileURLToPath(new URL('fixtures/log-1/event-types.json', import.meta.url)), 'utf8'),
) as readonly StoredType[];
const declared = new Map(slices.flatMap(({ events }) => events).map((event) => [event.type, event]));

/** The schema without the members that came to be since: events from before have none of them. */
function asThen(now: unknown, then: unknown): unknown {
  if (!isObject(now) || !isObject(then)) return now;
  const members = Object.entries(now).map(([name, member]) => [name, asThen(member, then[name])] as const);
  const isNew = ([name]: (typeof members)[number]): boolean => isMembers(then) && !(name in then);
  return Object.fromEntries(members.filter((member) => !isNew(member)));
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** What stands under `properties`: schemas by name. */
const isMembers = (value: Json): boolean => Object.values(value).every(isObject);

/** The order of names in `required` means nothing. */
const canonical = (schema: unknown): string =>
  canonicalJson(
    JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
      name === 'required' && Array.isArray(value) ? (value as string[]).sort() : value,
    ) as object,
  );

it.each(stored)(
  '$type is stored as it was: its aggregate, its members, and which of them are required',
  ({ type, aggregateType, version, schema }) => {
    const now = declared.get(type);
    if (now === undefined) throw new Error(`Nothing declares ${type}.`);
    expect(now.aggregateType).toBe(aggregateType);
    if (now.version > version) expect(now.upcasters?.[version]).toBeDefined();
    else expect(canonical(asThen(now.schema, schema))).toBe(canonical(schema));
  },
);
