import { placesOf, type DocumentText, type DocumentTexts } from './document-texts.js';
import type { Json, JsonObject } from './imported.js';
import {
  findSecrets,
  replacementOf,
  withoutSecrets,
  type FoundSecret,
} from '../platform/validation/secrets.js';
import type { WarningSink } from './warning-log.js';

/** A text with secrets in it. */
interface Leak extends DocumentText {
  readonly secrets: readonly FoundSecret[];
}

/**
 * Replaces secrets in a document's texts, in place, each with a warning. True where there was one: the texts given are
 * then those of before.
 * What the document says beside its texts (comments of YAML) is not seen here.
 */
export async function redactSecrets(
  document: Json,
  texts: DocumentTexts,
  warnings: WarningSink,
): Promise<boolean> {
  const leaks = leaksOf(texts.all, await findSecrets(texts.joined));
  const known = new Set<DocumentText>(leaks.keys());
  for (const text of texts.credentials) {
    const { start } = text;
    const secrets = [{ start, end: start + text.text.length, kind: 'credential' }];
    if (!known.has(text)) leaks.set(text, { ...text, secrets });
  }
  if (leaks.size === 0) return false;
  const all = [...leaks.values()];
  warn(document, all, warnings);
  // Values first: a member's name is what they are found by.
  for (const leak of all.filter(({ isName }) => !isName)) {
    (leak.holder as JsonObject)[leak.key] = cleaned(leak);
  }
  for (const leak of all.filter(({ isName }) => isName)) rename(leak, cleaned(leak));
  return true;
}

/** Both lists are in order of where they start. */
function leaksOf(texts: readonly DocumentText[], found: readonly FoundSecret[]): Map<DocumentText, Leak> {
  const leaks = new Map<DocumentText, Leak>();
  let next = 0;
  for (const text of texts) {
    const secrets: FoundSecret[] = [];
    const end = text.start + text.text.length;
    for (let secret = found[next]; secret && secret.start < end; secret = found[next]) {
      secrets.push({ ...secret, end: Math.min(secret.end, end) });
      next++;
    }
    if (secrets.length > 0) leaks.set(text, { ...text, secrets });
  }
  return leaks;
}

function cleaned({ text, start, secrets }: Leak): string {
  const own = secrets.map((secret) => ({ ...secret, start: secret.start - start, end: secret.end - start }));
  return withoutSecrets(text, own);
}

/** Keeps the order of members. */
function rename({ holder, key }: DocumentText, name: string): void {
  const members = Object.entries(holder as JsonObject);
  for (const [other] of members) Reflect.deleteProperty(holder, other);
  for (const [other, value] of members) (holder as JsonObject)[other === key ? name : other] = value;
}

function warn(document: Json, leaks: readonly Leak[], warnings: WarningSink): void {
  for (const [{ secrets }, pointer] of placesOf(document, leaks)) {
    const kinds = [...new Set(secrets.map(({ kind }) => kind))];
    const detail = `A secret (${kinds.join(', ')}) was replaced by ${kinds.map(replacementOf).join(', ')}.`;
    warnings.warn('secret_redacted', pointer, detail);
  }
}
