import { shown } from '../shown.ts';

export type Kind = 'text' | 'long' | 'list' | 'number' | 'tier' | 'flag' | 'lifecycle';

/** The fields of an endpoint or a tool that an operator may override, by dot path. */
export const overridable: Readonly<Record<string, Kind>> = {
  description: 'long',
  'routing.semanticDescription': 'long',
  'routing.semanticKeywords': 'list',
  'routing.targetPersonas': 'list',
  'routing.domain': 'text',
  'routing.semanticNamespace': 'text',
  'routing.sensitivityTier': 'tier',
  'routing.semanticWeight': 'number',
  'routing.fallbackEndpoint': 'text',
  'safety.readOnly': 'flag',
  'safety.idempotent': 'flag',
  'safety.destructive': 'flag',
  'safety.humanApprovalRequired': 'flag',
  'safety.approvalWorkflow': 'text',
  lifecycleStatus: 'lifecycle',
};

/** The value of a field in a record, by dot path. */
export function valueAt(record: unknown, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined,
      record,
    );
}

/** Every field that a layer says, by dot path; schemas and parameters are one each. */
export function fieldsOf(layer: unknown): readonly string[] {
  return Object.entries(layer ?? {}).flatMap(([name, value]) =>
    name === 'routing' || name === 'safety'
      ? Object.keys((value ?? {}) as object).map((inner) => `${name}.${inner}`)
      : [name],
  );
}

/** As it is typed. */
export function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map(shown).join('\n') : shown(value);
}

/** What was typed, as a value; null where nothing was, which removes the override. */
export function valueOf(text: string, kind: Kind): unknown {
  const trimmed = text.trim();
  if (kind === 'list') return listed(text);
  if (trimmed === '') return null;
  if (kind === 'number') return Number(trimmed);
  return kind === 'flag' ? trimmed === 'true' : kind === 'long' ? text : trimmed;
}

function listed(text: string): readonly string[] | null {
  const lines = text.split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '');
  return said.length === 0 ? null : said;
}

/** The change of one field, as the service takes it. */
export function patchOf(field: string, value: unknown): object {
  const [first = '', inner] = field.split('.');
  return { [first]: inner === undefined ? value : { [inner]: value } };
}
