import { isDeepStrictEqual } from 'node:util';
import { fieldsOf, type Fields } from '../endpoints/endpoint.layers.js';
import { gradeInput, gradeOutput } from '../endpoints/schema-grade.js';
import type { Grade } from './tool-version.js';
import type { ChangeMark, ToolOverrides, ToolWords } from './tool-facts.js';

type Schema = Readonly<Record<string, unknown>>;

/** The words with the operator's over them, field by field. */
export function effectiveWords(words: ToolWords, overrides: ToolOverrides): ToolWords {
  return {
    description: overrides.description ?? words.description,
    routing: { ...words.routing, ...overrides.routing },
    safety: { ...words.safety, ...overrides.safety },
    lifecycleStatus: overrides.lifecycleStatus ?? words.lifecycleStatus,
  };
}

/** What a tool shows an agent, by field: dot paths for the members of routing and safety. */
export function shownFields(words: ToolWords, inputSchema: Schema, outputSchema: Schema | null): Fields {
  return fieldsOf({ ...words, inputSchema, ...(outputSchema && { outputSchema }) });
}

/** Names of the fields that differ, ordered; a field that is absent differs from one that is there. */
export function differences(before: Fields, after: Fields): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !isDeepStrictEqual(before.get(name), after.get(name))).sort();
}

/** How much the change of these fields asks of callers: the worse of the schemas' grades, else wording. */
export function gradeOf(before: Fields, after: Fields, fields: readonly string[]): Grade {
  const found = fields.map((field) => graders[field]?.(before.get(field), after.get(field)));
  return (['breaking', 'compatible'] as const).find((grade) => found.includes(grade)) ?? 'wording';
}

const graders: Readonly<Partial<Record<string, typeof gradeInput>>> = {
  inputSchema: gradeInput,
  outputSchema: gradeOutput,
};

/** The mark of what differs from the state last accepted, or null where nothing does. */
export function markOf(accepted: Fields, now: Fields): ChangeMark | null {
  const fields = differences(accepted, now);
  if (fields.length === 0) return null;
  return {
    grade: gradeOf(accepted, now, fields),
    fields,
    before: pick(accepted, fields),
    after: pick(now, fields),
  };
}

/** The state last accepted: the present one with what the mark remembers put back. */
export function acceptedFields(now: Fields, mark: ChangeMark | null): Fields {
  const accepted = new Map(now);
  for (const [field, value] of Object.entries(mark?.before ?? {})) {
    if (value === null) accepted.delete(field);
    else accepted.set(field, value);
  }
  return accepted;
}

function pick(fields: Fields, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, fields.get(name) ?? null]));
}
