/** Finds the texts that differ between two versions of a tool, in their schemas too. Pure. */
import type { ToolSpec } from './tool-spec.js';

/** Null where there is no text. */
export interface TextChange {
  /** RFC 6901, in the spec. */
  readonly pointer: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Members of a schema that people and models read. */
const read = ['title', 'description'];

export function textChanges(before: ToolSpec | undefined, after: ToolSpec): TextChange[] {
  const [old, now] = [before === undefined ? new Map<string, string>() : textsOf(before), textsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((pointer) => ({ pointer, before: old.get(pointer) ?? null, after: now.get(pointer) ?? null }))
    .filter((change) => change.before !== change.after);
}

function textsOf(spec: ToolSpec): ReadonlyMap<string, string> {
  const { title, description, owner, examples, inputSchema, outputSchema } = spec;
  const texts = new Map([
    ['/title', title],
    ['/description', description],
  ]);
  if (owner !== null) texts.set('/owner', owner);
  for (const [at, { prompt }] of examples.entries())
    if (prompt !== undefined) texts.set(`/examples/${String(at)}/prompt`, prompt);
  collect(inputSchema, '/inputSchema', texts);
  collect(outputSchema, '/outputSchema', texts);
  return texts;
}

function collect(value: unknown, pointer: string, texts: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (read.includes(name) && typeof member === 'string') texts.set(at, member);
    else collect(member, at, texts);
  }
}
