import { Invalid, type Fault } from '../../kernel/errors.js';
import { Pace } from '../../kernel/pace.js';
import { firstHundred, lineCounter, MAX_COUNTED, pointerStep } from './faults.js';
import { vettedCharacters } from './untrusted-text.js';
import { findNamedCredentials, findSecrets, withoutSecrets, type FoundSecret } from './secrets.js';

interface TextAt {
  readonly pointer: string;
  readonly text: string;
}

/** Lists where texts hold secrets, by pointer, line and kind, never the secrets themselves. */
export async function secretFaults(texts: Iterable<TextAt>): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for await (const { pointer, line, kind } of secretsIn(texts)) {
    faults.push({ pointer, detail: `line ${String(line)} holds what looks like a secret (${kind})` });
    if (faults.length === MAX_COUNTED) break;
  }
  return firstHundred(faults);
}

/** What looks like a secret in texts whose author may say of one that it is an example. */
export interface JudgedSecrets {
  readonly refused: readonly Fault[];
  /** Those that the author says are examples. */
  readonly accepted: readonly Fault[];
}

/**
 * Lists where texts hold secrets, apart from those of which their author says that they are examples: by `accepted-finding:` and the
 * kind, on the line where one begins or on the line above.
 */
export async function judgedSecrets(texts: Iterable<TextAt>): Promise<JudgedSecrets> {
  const [refused, accepted]: [Fault[], Fault[]] = [[], []];
  for await (const { pointer, line, kind, around } of secretsIn(texts)) {
    const isAccepted = new RegExp(`\\baccepted-finding:[ \\t]*${kind}(?![\\w-])`).test(around);
    const detail = isAccepted
      ? `line ${String(line)} holds what looks like a secret (${kind}), and its author says that it is an example`
      : `line ${String(line)} holds what looks like a secret (${kind})`;
    (isAccepted ? accepted : refused).push({ pointer, detail });
    if (refused.length + accepted.length === MAX_COUNTED) break;
  }
  return { refused: firstHundred(refused), accepted: firstHundred(accepted) };
}

/** A secret that was found, and the line where it begins with the one above. */
interface SecretAt {
  readonly pointer: string;
  readonly line: number;
  readonly kind: string;
  readonly around: string;
}

async function* secretsIn(texts: Iterable<TextAt>): AsyncGenerator<SecretAt> {
  const pace = new Pace();
  for (const { pointer, text } of texts) {
    const lineOf = lineCounter(text);
    const found = [
      ...(await findSecrets(text, MAX_COUNTED, pace)),
      ...findNamedCredentials(text, MAX_COUNTED),
    ];
    for (const { start, end, kind } of found)
      yield { pointer, line: lineOf(start), kind, around: around(text, start, end) };
  }
}

/** Characters before a secret, and behind it, in which a mark is looked for. */
const NEAR = 1_000;

/** The line on which a secret begins and the one above, as far as they are near. */
function around(text: string, start: number, end: number): string {
  const before = text
    .slice(Math.max(0, start - NEAR), start)
    .split('\n')
    .slice(-2)
    .join('\n');
  const isOneLine = !text.slice(start, end).includes('\n');
  return before + (isOneLine ? (text.slice(end, end + NEAR).split('\n', 1)[0] ?? '') : '');
}

/** Every text in a value, with its pointer. */
export function* textsIn(value: unknown, pointer = ''): Generator<{ pointer: string; text: string }> {
  if (typeof value === 'string' && value !== '') yield { pointer, text: value };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* textsIn(member, pointer + pointerStep(name));
}

/** Refuses a record with a secret in it: Invalid `secret_in_body`. */
export async function refuseSecretsIn(record: object): Promise<void> {
  const faults = await secretFaults(textsIn(record));
  if (faults.length === 0) return;
  const detail = 'The body holds what looks like a secret. Take it out, and change it if it is real.';
  throw new Invalid('secret_in_body', detail, faults);
}

/** Reports to its author a secret, or characters that hide text, that were replaced in what was sent. */
export interface SecretWarning {
  readonly code: 'secret_redacted' | 'hidden_characters_replaced';
  /** RFC 6901. */
  readonly pointer: string;
  readonly detail: string;
}

/** A text deep in what was sent, and where it begins among all of them. */
interface Place {
  readonly holder: Record<string, unknown>;
  readonly member: string;
  readonly pointer: string;
  /** Without what nobody is to see in it. */
  readonly text: string;
  /** What its author is told where there was some. */
  readonly hidden: string | undefined;
  readonly start: number;
}

/** Separates texts that are searched in one go: no secret reaches across it. */
const BETWEEN = '\0';

/** What was sent, and what its author should know of it. */
export interface Redacted<Body> {
  readonly body: Body;
  readonly warnings: readonly SecretWarning[];
}

/** Replaces the secrets in all texts of a body, and characters that hide text or turn its order, and says where there were some. */
export async function redacted<Body extends object>(sent: Body): Promise<Redacted<Body>> {
  const looked = placesIn(sent);
  const found = await findSecrets(looked.map(({ text }) => text).join(BETWEEN));
  // What is sent stays as it is; as a rule there is nothing to replace, and nothing to copy.
  if (found.length === 0 && looked.every(({ hidden }) => hidden === undefined))
    return { body: sent, warnings: [] };
  const body = structuredClone(sent);
  const warnings: SecretWarning[] = [];
  const places = placesIn(body);
  for (const { holder, member, pointer, text, hidden } of places) {
    if (hidden === undefined) continue;
    holder[member] = text;
    warnings.push({ code: 'hidden_characters_replaced', pointer, detail: hidden });
  }
  let next = 0;
  for (const { holder, member, pointer, text, start } of places) {
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

function placesIn(holder: object, above = '', places: Place[] = []): Place[] {
  for (const [member, value] of Object.entries(holder) as [string, unknown][]) {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) continue;
    const pointer = above + pointerStep(member);
    if (typeof value === 'string') {
      const { text, findings } = vettedCharacters(value);
      const hidden = findings.find(({ code }) => code === 'hidden_characters_replaced')?.detail;
      const last = places.at(-1);
      const start = last === undefined ? 0 : last.start + last.text.length + BETWEEN.length;
      places.push({ holder: holder as Record<string, unknown>, member, pointer, text, hidden, start });
    } else placesIn(value, pointer, places);
  }
  return places;
}

/** JSON Schema of a receipt's `warnings`. */
export const secretWarnings = {
  type: 'array',
  description: 'Where there were secrets, or characters that hide text: they were replaced.',
  items: {
    type: 'object',
    required: ['code', 'pointer', 'detail'],
    properties: { code: { type: 'string' }, pointer: { type: 'string' }, detail: { type: 'string' } },
  },
} as const;
