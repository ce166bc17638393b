import { rules } from '@secretlint/secretlint-rule-preset-recommend';
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

/** What the preset does not look for. Where the shape has a capture, that is the secret, else all of it. */
const shapes: readonly { kind: string; pattern: RegExp }[] = [
  {
    // Also one that is cut off before its end.
    kind: 'privatekey',
    pattern:
      /-----BEGIN (?:[A-Z\d]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|\s){0,10}[A-Za-z\d+/]{16,200}(?:(?:\\[nr]|\s){1,4}[A-Za-z\d+/]{40,200}={0,2}){0,400}/g,
  },
  { kind: 'jwt', pattern: /\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}/g },
  {
    kind: 'bearer-token',
    pattern: /\b[Bb]earer\s{1,4}(?=[A-Za-z._~+/-]{0,200}\d)([\w.~+/-]{20,2000}={0,2})/g,
  },
  {
    kind: 'basic-credentials',
    pattern: /\b[Bb]asic\s{1,4}(?=[A-Za-z+/]{0,200}[\d=])([A-Za-z\d+/]{12,400}={0,2})/g,
  },
  {
    kind: 'url-credentials',
    pattern: /\b[a-z][a-z\d+.-]{1,20}:\/\/([^\s/:@"'<>{}[\]]{1,200}:[^\s/@"'<>{}[\]]{1,200})@/g,
  },
  { kind: 'aws-access-key', pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  { kind: 'google-api-key', pattern: /\bAIza[\w-]{35}\b/g },
  { kind: 'stripe-key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z\d]{16,200}\b/g },
  {
    // With a capital and a digit, which names of styles that begin like it have not both.
    kind: 'openai-key',
    pattern: /\bsk-(?!ant-)(?=[\w-]{0,300}[A-Z])(?=[\w-]{0,300}\d)[\w-]{32,300}/g,
  },
  { kind: 'hugging-face-token', pattern: /\bhf_[A-Za-z\d]{34}\b/g },
  { kind: 'gitlab-token', pattern: /\bglpat-[\w-]{20,100}/g },
];

/** Finds secrets in a text; ranges are in order and do not overlap. 12 MB take about 0.2 s. */
export async function findSecrets(text: string): Promise<readonly FoundSecret[]> {
  const found: FoundSecret[] = [];
  const source = { content: text, filePath: 'document.txt', ext: '.txt', contentType: 'text' };
  for (const rule of detectors) {
    const kind = rule.meta.id.replace(/^.*secretlint-rule-/, '');
    await rule.create(contextOf(kind, found), {}).file?.(source as SecretLintSourceCode);
  }
  for (const { kind, pattern } of shapes) {
    for (const match of text.matchAll(pattern)) {
      const secret = match[1] ?? match[0];
      const start = match.index + match[0].lastIndexOf(secret);
      found.push({ start, end: start + secret.length, kind });
    }
  }
  return withoutOverlaps(found);
}

function contextOf(kind: string, found: FoundSecret[]): SecretLintRuleContext {
  return {
    sharedOptions: {},
    // Its message would quote the secret; only the place is wanted.
    createTranslator: () => (messageId, data) => ({ message: kind, messageId: String(messageId), data }),
    report: ({ range: [start, end] }) => found.push({ start, end, kind }),
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
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || /\s|:\/\/|[<>{}[\]]/.test(value)) return false;
  return entropy(value) > 3;
}

/** Shannon entropy, in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const total = Array.from(text).length;
  return [...counts.values()].reduce((sum, count) => sum - (count / total) * Math.log2(count / total), 0);
}
