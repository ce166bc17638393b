import { pointerStep } from './faults.js';
import { findSecrets, withoutSecrets, type FoundSecret } from './secrets.js';

/** Something about what was sent that its author should know; it was taken in. */
export interface SecretWarning {
  readonly code: 'secret_redacted';
  /** RFC 6901. */
  readonly pointer: string;
  readonly detail: string;
}

/** A text deep in what was sent, and where it begins among all of them. */
interface Place {
  readonly holder: Record<string, unknown>;
  readonly member: string;
  readonly pointer: string;
  readonly text: string;
  readonly start: number;
}

/** Stands between texts that are searched in one go: no secret goes on beyond it. */
const BETWEEN = '\0';

/** What was sent, and what its author should know of it. */
export interface Redacted<Body> {
  readonly body: Body;
  readonly warnings: readonly SecretWarning[];
}

/** What was sent without secrets in its texts, which others will read, and where there were some. */
export async function redacted<Body extends object>(sent: Body): Promise<Redacted<Body>> {
  const body = structuredClone(sent);
  const places: Place[] = [];
  collect(body, '', places);
  const found = await findSecrets(places.map(({ text }) => text).join(BETWEEN));
  const warnings: SecretWarning[] = [];
  let next = 0;
  for (const { holder, member, pointer, text, start } of found.length === 0 ? [] : places) {
    const secrets: FoundSecret[] = [];
    for (let secret = found[next]; secret && secret.start < start + text.length; secret = found[++next])
      secrets.push({ ...secret, start: secret.start - start, end: secret.end - start });
    if (secrets.length === 0) continue;
    holder[member] = withoutSecrets(text, secrets);
    const kinds = [...new Set(secrets.map(({ kind }) => kind))].join(', ');
    const detail = `What looks like a secret (${kinds}) was replaced. Change it if it is real: it has been sent.`;
    warnings.push({ code: 'secret_redacted', pointer, detail });
  }
  return { body, warnings };
}

function collect(holder: object, above: string, places: Place[]): void {
  for (const [member, value] of Object.entries(holder) as [string, unknown][]) {
    const pointer = above + pointerStep(member);
    if (typeof value === 'string') {
      const last = places.at(-1);
      const start = last === undefined ? 0 : last.start + last.text.length + BETWEEN.length;
      places.push({ holder: holder as Record<string, unknown>, member, pointer, text: value, start });
    } else if (typeof value === 'object' && value !== null) collect(value, pointer, places);
  }
}

/** JSON Schema of a receipt's `warnings`. */
export const secretWarnings = {
  type: 'array',
  description: 'Where there were secrets, which were replaced.',
  items: {
    type: 'object',
    required: ['code', 'pointer', 'detail'],
    properties: { code: { type: 'string' }, pointer: { type: 'string' }, detail: { type: 'string' } },
  },
} as const;
