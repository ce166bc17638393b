import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { slices } from '../src/app.module.js';
import { canonicalJson } from '../src/eventsourcing/canonical-json.js';

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

/** The order of names in `required` means nothing. */
const canonical = ({ schema, aggregateType, version }: Omit<StoredType, 'type'>): string =>
  canonicalJson({
    aggregateType,
    version,
    schema: JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
      name === 'required' && Array.isArray(value) ? (value as string[]).sort() : value,
    ) as object,
  });

it.each(stored)(
  '$type is stored as it was: its aggregate, its members, and which of them are required',
  (then) => {
    const now = declared.get(then.type);
    if (now === undefined) throw new Error(`Nothing declares ${then.type}.`);
    const upcast = now.version > then.version && now.upcasters?.[then.version] !== undefined;
    if (!upcast) expect(canonical(now as StoredType)).toBe(canonical(then));
  },
);
