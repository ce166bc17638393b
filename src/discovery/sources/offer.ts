/** What others offer by a standard of discovery, as it may be taken in here. Pure. */
import { textMember, type Json } from '../../documents/json.js';

/** What a source is: a list of MCP servers, the card of an agent, or an index of skills. */
export const sourceKinds = ['mcp-registry', 'a2a-card', 'agent-skills'] as const;
export type SourceKind = (typeof sourceKinds)[number];

export interface Offer {
  /** What it would be here. */
  readonly kind: 'agent' | 'gateway' | 'skill';
  readonly name: string;
  readonly description: string;
  /** As its source says it. */
  readonly version: string | null;
  /** Where it is called or, of a skill, fetched. */
  readonly url: string | null;
  /** Of a skill: `sha256:` and 64 hexadecimal digits. */
  readonly digest: string | null;
  /** Why it can’t be taken in. */
  readonly fault: string | null;
}

/** What a document offers. */
export interface Offered {
  readonly source: SourceKind;
  readonly offers: readonly Offer[];
  /** Where the next page is. */
  readonly next: string | null;
}

/** Most offers of one document. */
const MAX_OFFERS = 500;
/** Longest texts that are said again. */
export const [MAX_NAME, MAX_DESCRIPTION] = [200, 1024];

/** A text of the source, in one line and no longer than it may be. */
export function lineOf(value: unknown, name: string, max: number): string {
  const line = (textMember(value, name) ?? '').replace(/[\p{Control}\s]+/gu, ' ').trim();
  return line.slice(0, max).replace(/[\uD800-\uDBFF]$/u, '');
}

/** An address of the web without a user, complete; undefined where it is none. */
export function webAddress(text: string | undefined, base: URL): string | undefined {
  const url = text === undefined || text.length > 2000 ? null : URL.parse(text, base.href);
  const isFit = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isFit ? url.href : undefined;
}

export function offersOf(items: readonly Json[], read: (item: Json) => Offer | undefined): Offer[] {
  return items.slice(0, MAX_OFFERS).flatMap((item) => read(item) ?? []);
}
