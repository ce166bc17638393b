import { lineCounter } from '../platform/validation/faults.js';
import {
  findSecrets,
  looksLikeCredential,
  replacementOf,
  withoutSecrets,
  type FoundSecret,
} from '../platform/validation/secrets.js';
import {
  modelAddresses,
  textsAddressingModel,
  vettedCharacters,
} from '../platform/validation/untrusted-text.js';
import { UnreadableDocument, type Fault, type WarningSink } from './findings.js';
import { below, isObject, stepsOf, type Json, type JsonObject } from './json.js';

/**
 * Replaces the secrets in a document's texts, in place, each with a warning; and warns of texts that speak to the model
 * instead of describing the tool. These are kept: whoever publishes the tool is to see them as they are. Comments of
 * YAML are not seen here.
 *
 * @returns whether a secret was replaced
 */
export async function vetDocument(document: Json, warnings: WarningSink): Promise<boolean> {
  const texts = collectTexts(document);
  const leaks = await findLeaks(texts);
  for (const [{ secrets }, pointer] of placesOf(document, leaks)) {
    const kinds = [...new Set(secrets.map(({ kind }) => kind))];
    const detail = `A secret (${kinds.join(', ')}) was replaced by ${kinds.map(replacementOf).join(', ')}.`;
    warnings.warn('secret_redacted', pointer, detail);
  }
  // Values first: a member's name is what they are found by.
  for (const leak of leaks.filter(({ isName }) => !isName))
    (leak.holder as JsonObject)[leak.key] = cleaned(leak);
  for (const leak of leaks.filter(({ isName }) => isName)) rename(leak, cleaned(leak));
  warnOfAddresses(document, leaks.length > 0 ? collectTexts(document) : texts, warnings);
  return leaks.length > 0;
}

/** Makes a text of a language of its own safe to keep, as parsed documents are made value by value. */
export async function vetText(given: string, warnings: WarningSink): Promise<string> {
  const { text: vetted, findings } = vettedCharacters(given);
  for (const { code, detail } of findings) warnings.warn(code, '', detail);
  const secrets = await findSecrets(vetted);
  const lineOf = lineCounter(vetted);
  for (const { start, kind } of secrets) {
    const detail = `A secret (${kind}) in line ${String(lineOf(start))} was replaced by ${replacementOf(kind)}.`;
    warnings.warn('secret_redacted', '', detail);
  }
  const text = withoutSecrets(vetted, secrets);
  const [address] = modelAddresses(text);
  if (address !== undefined) {
    const detail = `Line ${String(lineCounter(text)(address))} speaks to the model that reads it, not of the API. Look at it before you publish.`;
    warnings.warn('text_addresses_model', '', detail);
  }
  return text;
}

/**
 * Puts `[redacted:<kind>]` for each secret that warnings and faults quote: some are raised before the document's own
 * secrets are replaced. Nearly always there is none, which one look at all tells.
 */
export async function withoutQuotedSecrets<Said extends Fault>(
  all: readonly Said[],
): Promise<readonly Said[]> {
  const texts = all.flatMap(({ pointer, detail }) => [...stepsOf(pointer), detail]);
  if (texts.length === 0 || (await findSecrets(texts.join('\n'))).length === 0) return all;
  const redacted = async (text: string) => withoutSecrets(text, await findSecrets(text));
  return Promise.all(
    all.map(async (each) => {
      const steps = await Promise.all(stepsOf(each.pointer).map(redacted));
      return { ...each, pointer: below('', ...steps), detail: await redacted(each.detail) };
    }),
  );
}

/** Redacts a refusal in the same way. */
export async function refusalWithoutSecrets(fault: UnreadableDocument): Promise<UnreadableDocument> {
  const [own, ...faults] = await withoutQuotedSecrets([fault as Fault, ...fault.faults]);
  return new UnreadableDocument(fault.code, own?.detail ?? '', own?.pointer, faults);
}

type Holder = JsonObject | Json[];

/** A text of a document: the value of a member or an item, or the name of a member. */
interface DocumentText {
  readonly holder: Holder;
  readonly key: string;
  readonly isName: boolean;
  readonly text: string;
  /** Where it starts in all texts joined. */
  readonly start: number;
}

interface DocumentTexts {
  readonly all: readonly DocumentText[];
  readonly joined: string;
  /** Values of something called a password, key or token that look like a real one. */
  readonly credentials: readonly DocumentText[];
}

/** Shorter texts hold no secret that a rule could know. */
const SHORTEST = 8;
/** Stands between the texts; none contains it (NUL is replaced before). */
const SEPARATOR = '\n\0\n';
/** Members that hold a value of what is named further up. */
const VALUE_HOLDERS = new Set('default example examples value const enum schema items'.split(' '));

/** Collects all texts, joined so that they can be searched as one. What YAML aliases repeat is there once. */
function collectTexts(document: Json): DocumentTexts {
  const all: DocumentText[] = [];
  const credentials: DocumentText[] = [];
  let start = 0;
  const add = (holder: Holder, key: string, isName: boolean, text: string): DocumentText | undefined => {
    if (text.length < SHORTEST) return undefined;
    const found = { holder, key, isName, text, start };
    all.push(found);
    start += text.length + SEPARATOR.length;
    return found;
  };
  const seen = new Set<Holder>();
  const walk = (holder: Holder, above: string) => {
    if (seen.has(holder)) return;
    seen.add(holder);
    const isList = Array.isArray(holder);
    const own = parameterName(holder) ?? above;
    for (const [key, value] of Object.entries(holder)) {
      const name = isList || VALUE_HOLDERS.has(key) ? own : key;
      if (!isList) add(holder, key, true, key);
      if (typeof value === 'object' && value !== null) walk(value, name);
      if (typeof value !== 'string') continue;
      const text = add(holder, key, false, value);
      if (text && looksLikeCredential(name, value)) credentials.push(text);
    }
  };
  if (typeof document === 'object' && document !== null) walk(document, '');
  return { all, joined: all.map(({ text }) => text).join(SEPARATOR), credentials };
}

/** Reads the name of an OpenAPI parameter, which stands in a member. */
function parameterName(holder: Holder): string | undefined {
  if (!isObject(holder) || typeof holder['in'] !== 'string') return undefined;
  return typeof holder['name'] === 'string' ? holder['name'] : undefined;
}

/**
 * Finds RFC 6901 pointers of some texts, in the document's order. For the name of a member it is the pointer of what
 * holds it, since the name may not be fit to be shown.
 */
function placesOf<Text extends DocumentText>(
  document: Json,
  texts: readonly Text[],
): readonly (readonly [Text, string])[] {
  const byHolder = new Map<Holder, Text[]>();
  for (const text of texts) byHolder.set(text.holder, [...(byHolder.get(text.holder) ?? []), text]);
  const places: (readonly [Text, string])[] = [];
  const path: string[] = [];
  const walk = (value: Json) => {
    if (typeof value !== 'object' || value === null) return;
    for (const text of byHolder.get(value) ?? []) {
      places.push([text, below('', ...path, ...(text.isName ? [] : [text.key]))]);
    }
    for (const [key, inner] of Object.entries(value)) {
      path.push(key);
      walk(inner);
      path.pop();
    }
  };
  if (byHolder.size > 0) walk(document);
  return places;
}

/** A text with secrets in it. */
interface Leak extends DocumentText {
  readonly secrets: readonly FoundSecret[];
}

/** Both the texts and what is found in them are in order of where they start. */
async function findLeaks({ all, joined, credentials }: DocumentTexts): Promise<readonly Leak[]> {
  const found = await findSecrets(joined);
  const leaks = new Map<DocumentText, Leak>();
  let next = 0;
  for (const text of all) {
    const secrets: FoundSecret[] = [];
    const end = text.start + text.text.length;
    for (let secret = found[next]; secret && secret.start < end; secret = found[++next])
      secrets.push({ ...secret, end: Math.min(secret.end, end) });
    if (secrets.length > 0) leaks.set(text, { ...text, secrets });
  }
  for (const text of credentials) {
    const { start } = text;
    const secrets = [{ start, end: start + text.text.length, kind: 'credential' }];
    if (!leaks.has(text)) leaks.set(text, { ...text, secrets });
  }
  return [...leaks.values()];
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

function warnOfAddresses(document: Json, { all }: DocumentTexts, warnings: WarningSink): void {
  const addressing = textsAddressingModel(all.map(({ text }) => text));
  const found = addressing.map((index) => all[index]).filter((text) => text !== undefined);
  const detail =
    'The text speaks to the model that reads it, not of the tool. Look at it before you publish.';
  for (const [, pointer] of placesOf(document, found)) warnings.warn('text_addresses_model', pointer, detail);
}
