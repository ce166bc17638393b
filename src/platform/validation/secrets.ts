import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { Pace } from '../../kernel/pace.js';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';

/** A secret in a text: where it stands and what it is (`github`, `privatekey`, `bearer-token`, …). */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/**
 * Left out of the preset: what lets a text switch the rules off by a comment, and what takes a whole address for a
 * secret because of the password in it (`url-credentials` below takes the password).
 */
const unwanted = /-(?:filter-comments|basicauth|database-connection-string)$/;

/**
 * The rules of secretlint's recommended preset. They look for well-known shapes only, and open neither files nor
 * connections. Run without its core, which keeps a record of every run for as long as the process lives.
 */
const detectors = rules.filter((rule) => !unwanted.test(rule.meta.id));

/**
 * What the preset does not look for. Where the shape has captures (and the flag `d`), the secret reaches from the
 * first to the last of them. Each takes time in proportion to the text, whatever it holds: what begins like a secret again and again too.
 */
const shapes: readonly { kind: string; pattern: RegExp }[] = [
  {
    // Also one that is cut off before its end.
    kind: 'privatekey',
    pattern:
      /-----BEGIN (?:[A-Z\d]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|\s){0,10}[A-Za-z\d+/]{16,200}(?:(?:\\[nr]|\s){1,4}[A-Za-z\d+/]{40,200}={0,2}){0,400}/g,
  },
  {
    // Found by its middle, and then read back to where it begins.
    kind: 'jwt',
    pattern: /\.eyJ(?<=\b(eyJ[\w-]{8,2000})\.eyJ)([\w-]{8,8000}\.[\w-]{8,2000})/dg,
  },
  {
    kind: 'bearer-token',
    pattern: /\b[Bb]earer\s{1,4}(?=[A-Za-z._~+/-]{0,200}\d)([\w.~+/-]{20,2000}={0,2})/dg,
  },
  {
    kind: 'basic-credentials',
    pattern: /\b[Bb]asic\s{1,4}(?=[A-Za-z+/]{0,200}[\d=])([A-Za-z\d+/]{12,400}={0,2})/dg,
  },
  {
    // Found by its middle, too.
    kind: 'url-credentials',
    pattern: /:\/\/(?<=\b[a-z][a-z\d+.-]{1,20}:\/\/)([^\s/:@"'<>{}[\]]{1,200}:[^\s/@"'<>{}[\]]{1,200})@/dg,
  },
  { kind: 'aws-access-key', pattern: /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g },
  { kind: 'google-api-key', pattern: /\bAIza[\w-]{35}\b/g },
  { kind: 'stripe-key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z\d]{16,200}\b/g },
  {
    // With a capital and a digit, which names of styles that begin like it have not both. One that begins within
    // another is part of it.
    kind: 'openai-key',
    pattern:
      /\bsk-(?!ant-)(?<!\bsk-(?!ant-)[\w-]{0,64}?sk-)(?=[\w-]{0,300}[A-Z])(?=[\w-]{0,300}\d)[\w-]{32,300}/g,
  },
  { kind: 'hugging-face-token', pattern: /\bhf_[A-Za-z\d]{34}\b/g },
  { kind: 'gitlab-token', pattern: /\bglpat-[\w-]{20,100}/g },
];

/** Characters that are looked at in one go, and how many of them with those before: no secret is longer. */
const piece = { length: 128 * 1024, overlap: 32 * 1024 };

/**
 * Finds secrets in a text; ranges are in order and do not overlap. 12 MB take about 0.3 s, and give way to others.
 *
 * @param enough how many are found before the rest of a long text is left alone
 * @param pace of the work that this is a part of
 */
export async function findSecrets(
  text: string,
  enough = Infinity,
  pace = new Pace(),
): Promise<readonly FoundSecret[]> {
  const found: FoundSecret[] = [];
  const step = piece.length - piece.overlap;
  for (let at = 0; at === 0 || (at + piece.overlap < text.length && found.length < enough); at += step) {
    const part = text.slice(at, at + piece.length);
    const report: Report = ({ start, end, kind }) => found.push({ start: at + start, end: at + end, kind });
    for (const look of searches) {
      await look(part, report);
      await pace.step();
    }
  }
  return withoutOverlaps(found).filter(({ start, end }) => !isPublished(text.slice(start, end)));
}

/**
 * Keys that vendors print in their manuals, and that everybody copies from there: those of AWS, the token of jwt.io, Stripe's
 * test key, and the credentials of RFC 7617 and of `user` or `username` with `password`.
 */
const published =
  /^(?:A[KS]IA[A-Z\d]{9}EXAMPLE|[A-Za-z\d/+]{30}EXAMPLEKEY|(?:sk_test_)4eC39HqLyjWDarjtT1zdp7dc|eyJ[\w-]+\.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIi[\w-]+\.[\w-]+|QWxhZGRpbjpvcGVuIHNlc2FtZQ==|dXNlcm5hbWU6cGFzc3dvcmQ=|dXNlcjpwYXNzd29yZA==)$/;

const isPublished = (text: string): boolean => text.length <= 1_000 && published.test(text);

type Report = (secret: FoundSecret) => void;

/** Each looks for secrets of one kind. */
const searches: readonly ((text: string, report: Report) => Promise<void> | void)[] = [
  ...detectors.map((rule) => async (text: string, report: Report) => {
    const source = { content: text, filePath: 'document.txt', ext: '.txt', contentType: 'text' };
    const kind = rule.meta.id.replace(/^.*secretlint-rule-/, '');
    await rule.create(contextOf(kind, report), {}).file?.(source as SecretLintSourceCode);
  }),
  ...shapes.map(({ kind, pattern }) => (text: string, report: Report) => {
    for (const match of text.matchAll(pattern)) report({ ...placeOf(match), kind });
  }),
];

function placeOf({ index, 0: { length }, indices }: RegExpExecArray): Omit<FoundSecret, 'kind'> {
  const [first, last] = [indices?.[1], indices?.at(-1)];
  return { start: first?.[0] ?? index, end: last?.[1] ?? index + length };
}

function contextOf(kind: string, report: Report): SecretLintRuleContext {
  return {
    sharedOptions: {},
    // Its message would quote the secret; only the place is wanted.
    createTranslator: () => (messageId, data) => ({ message: kind, messageId: String(messageId), data }),
    report: ({ range: [start, end] }) => {
      report({ start, end, kind });
    },
    ignore: () => undefined,
  };
}

function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const kept: FoundSecret[] = [];
  for (const secret of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last && secret.start < last.end) {
      if (secret.end > last.end) kept[kept.length - 1] = { ...last, end: secret.end };
    } else kept.push(secret);
  }
  return kept;
}

/** The text with each of the secrets found in it replaced. */
export function withoutSecrets(text: string, secrets: readonly FoundSecret[]): string {
  const parts: string[] = [];
  let kept = 0;
  for (const { start, end, kind } of secrets) {
    parts.push(text.slice(kept, start), replacementOf(kind));
    kept = end;
  }
  return parts.join('') + text.slice(kept);
}

export function replacementOf(kind: string): string {
  return `[redacted:${kind}]`;
}

const CREDENTIAL_NAME =
  /pass(?:word|wd|phrase)|secret|api[-_. ]?key|access[-_. ]?key|private[-_. ]?key|(?:access|auth|refresh|id|session|bearer)[-_. ]?token|^(?:token|pwd|authorization)$/i;

/**
 * Whether a value that a document gives for something called a password, key or token looks like a real one:
 * 16 characters or more without blanks, letters and digits mixed, no address, hardly repeating itself.
 */
export function looksLikeCredential(name: string, value: string): boolean {
  if (value.length < 16 || value.length > 4_000 || !CREDENTIAL_NAME.test(name)) return false;
  if (isPublished(value)) return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || /\s|:\/\/|[<>{}[\]]/.test(value)) return false;
  return entropy(value) > 3;
}

/** What stands behind a colon or an equals sign, as in `password: …`, `"api_key" = "…"`, `access token: …`. */
const assigned = /[:=]\s{0,3}["'`*]{0,3}([^\s"'`*<>{}[\](),;]{16,400})/g;

/** Matches what stands for a value: a variable, or a text that says so. */
const placeholder =
  /^[$%]|^(?:process|os|env)\.|[Yy]our|YOUR|[Ee]xample|EXAMPLE|placeholder|change|dummy|redacted|x{4}|X{4}|^[A-Z][A-Z\d]*_[A-Z\d_]+$/;

/** Covers a name of two parts. */
const MAX_NAME_LENGTH = 60;

/** Passwords, keys and tokens of no known shape, by the name that prose or code gives them; the first that are `enough`. */
export function findNamedCredentials(text: string, enough = Infinity): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { 0: all, 1: value = '', index } of text.matchAll(assigned)) {
    if (found.length >= enough) break;
    const before = text.slice(Math.max(0, index - MAX_NAME_LENGTH), index).replaceAll(/["'`*]/g, '');
    const terms =
      before
        .trimEnd()
        .split(/[^\w. -]/)
        .at(-1)
        ?.split(' ') ?? [];
    const names = [terms.slice(-2).join(' '), terms.at(-1) ?? ''];
    if (placeholder.test(value) || !names.some((name) => looksLikeCredential(name, value))) continue;
    const end = index + all.length;
    found.push({ start: end - value.length, end, kind: 'credential' });
  }
  return found;
}

/** Shannon entropy, in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const total = Array.from(text).length;
  return [...counts.values()].reduce((sum, count) => sum - (count / total) * Math.log2(count / total), 0);
}
