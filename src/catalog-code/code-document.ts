/** The catalog as documents: what people write of each record, under names that mean the same in any catalog. Pure. */
import { canonicalJson } from '../kernel/canonical-json.js';
import { hash } from 'node:crypto';

/** Kinds of documents, in the order in which they are written: each refers to those before it, or to its own kind. */
export const codeKinds = [
  'HostSettings',
  'Category',
  'Tag',
  'Api',
  'ApiVersion',
  'Workflow',
  'Gateway',
  'Skill',
  'Agent',
  'Webhook',
] as const;
export type CodeKind = (typeof codeKinds)[number];

/** Values by the names of fields. A field that is left out is nobody's business: it stays as it is. */
export type Spec = Readonly<Record<string, unknown>>;

export interface CodeDocument {
  readonly kind: CodeKind;
  /**
   * `orders@1.0.0` of API versions and agents, `skill/billing/refunds` of categories, `<service>@<environment>` of gateways,
   * `namespace/name@1.0.0` of workflows, the address of webhooks, `host` of the settings, and else the name.
   */
  readonly key: string;
  readonly spec: Spec;
}

/** Tells documents apart. */
export function placeOf({ kind, key }: Pick<CodeDocument, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

/** The members by which the items of a list are told apart. */
const itemNames = ['tool', 'skill', 'name'] as const;

function nameOfItem(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const name = itemNames.map((member) => (item as Spec)[member]).find((value) => value !== undefined);
  return typeof name === 'string' ? name : undefined;
}

/** The value with lists in an order that does not depend on who wrote them: no list of a document has an order that counts. */
export function normalized(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const texts = value.map((item: unknown) => ({ item, text: canonicalJson({ item }) }));
  return texts.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text))).map(({ item }) => item);
}

/** The wanted value, completed: members that an item of a list leaves out are those of the present item of that name. */
export function completed(wanted: unknown, present: unknown): unknown {
  if (!Array.isArray(wanted) || !Array.isArray(present)) return wanted;
  const known = new Map(present.map((item: unknown) => [nameOfItem(item), item] as const));
  return wanted.map((item: unknown) => {
    const former = known.get(nameOfItem(item) ?? '');
    return former === undefined ? item : { ...(former as Spec), ...(item as Spec) };
  });
}

export function isSame(one: unknown, other: unknown): boolean {
  return digestOf(one) === digestOf(other);
}

/** A short digest of a value, whatever the order of its lists: 64 bits of SHA-256 as hex. */
export function digestOf(value: unknown): string {
  return hash('sha256', canonicalJson({ value: normalized(value) ?? null })).slice(0, 16);
}

/**
 * The documents in the order in which they can be written: by kind, those that others of their kind refer to first.
 */
export function inOrder<Document extends CodeDocument>(documents: readonly Document[]): Document[] {
  const named = new Map(documents.map((document) => [placeOf(document), document]));
  const sorted = [...documents].sort((a, b) => {
    const kinds = codeKinds.indexOf(a.kind) - codeKinds.indexOf(b.kind);
    return kinds === 0 ? (a.key < b.key ? -1 : Number(a.key > b.key)) : kinds;
  });
  const placed = new Set<Document>();
  const place = (document: Document, above: ReadonlySet<Document>): void => {
    if (placed.has(document) || above.has(document)) return;
    for (const key of ownReferences(document)) {
      const needed = named.get(placeOf({ kind: document.kind, key }));
      if (needed !== undefined) place(needed, new Set([...above, document]));
    }
    placed.add(document);
  };
  for (const document of sorted) place(document, new Set());
  return [...placed];
}

/** Keys of the documents of its own kind that a document needs. */
function ownReferences({ kind, key, spec }: CodeDocument): readonly string[] {
  if (kind === 'Category') return [key.replace(/\/[^/]*$/, '')];
  if (kind !== 'Skill') return [];
  const { parentSkill, dependsOn = [] } = spec as {
    readonly parentSkill?: string | null;
    readonly dependsOn?: readonly { readonly skill: string }[];
  };
  return [...(typeof parentSkill === 'string' ? [parentSkill] : []), ...dependsOn.map(({ skill }) => skill)];
}
