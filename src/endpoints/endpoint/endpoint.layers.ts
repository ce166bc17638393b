import type { EndpointFacts } from '../../formats/shared.js';

/** Layers by precedence, highest first (docs/contract.md, section 4). */
export const layers = ['operator', 'lightapi_endpoint', 'lightapi_api', 'source', 'gateway'] as const;
export type Layer = (typeof layers)[number];

/** The layers with the guards that are held until an administrator accepts what loosens them. */
export const mergedLayers = [
  'operator',
  'held',
  'lightapi_endpoint',
  'lightapi_api',
  'source',
  'gateway',
] as const satisfies readonly (Layer | 'held')[];
export type MergedLayer = (typeof mergedLayers)[number];
export type Layers = Readonly<Partial<Record<MergedLayer, EndpointFacts>>>;

/**
 * Whose word wins, field by field (docs/contract.md, section 4). A field is a member
 * of the facts, or of their parts `routing` and `safety`, named by its dot path: `description`, `routing.domain`.
 */
export type Provenance = Readonly<Record<string, MergedLayer>>;
export type Fields = ReadonlyMap<string, unknown>;

/** How an endpoint is called. Enrichment never touches it: the source says it, else the gateway. */
export const invocationFields: ReadonlySet<string> = new Set([
  'method',
  'path',
  'inputSchema',
  'routing.parameters',
]);
const invocationLayers: readonly MergedLayer[] = ['source', 'gateway'];

/** Flags that a document or a gateway may set but not clear: only the layers of people's words may. */
const stickyFlags: ReadonlySet<string> = new Set(['safety.destructive', 'safety.humanApprovalRequired']);
const mayClearFlags: readonly MergedLayer[] = ['operator', 'lightapi_endpoint', 'lightapi_api'];

const parts: readonly string[] = ['routing', 'safety'];

export interface Merged {
  /** The values that layers give; nothing is filled in. */
  readonly facts: EndpointFacts;
  readonly provenance: Provenance;
}

export function merge(all: Layers): Merged {
  const known = merged.get(all);
  if (known !== undefined) return known;
  const made = mergeAnew(all);
  merged.set(all, made);
  return made;
}

/** Caches merges: review, row, scopes and conflicts ask for the same layers, which are replaced and never changed. */
const merged = new WeakMap<Layers, Merged>();

function mergeAnew(all: Layers): Merged {
  const offers: Offer[] = [];
  const paths = new Set<string>();
  for (const layer of mergedLayers) {
    const facts = all[layer];
    if (facts === undefined) continue;
    const fields = fieldsOf(facts);
    offers.push({ layer, fields });
    for (const path of fields.keys()) paths.add(path);
  }
  const fields: [string, unknown][] = [];
  const provenance: [string, MergedLayer][] = [];
  for (const path of [...paths].sort()) {
    const offer = winner(path, offers);
    // A guard may be held at nothing: no approval workflow.
    if (offer === undefined || (offer.layer === 'held' && offer.fields.get(path) === null)) continue;
    fields.push([path, offer.fields.get(path)]);
    provenance.push([path, offer.layer]);
  }
  return { facts: factsFrom(fields), provenance: Object.fromEntries(provenance) };
}

interface Offer {
  readonly layer: MergedLayer;
  readonly fields: Fields;
}

function winner(path: string, offers: readonly Offer[]): Offer | undefined {
  const speaks = ({ layer, fields }: Offer): boolean =>
    fields.has(path) && (!invocationFields.has(path) || invocationLayers.includes(layer));
  const first = offers.find(speaks);
  if (first === undefined || !stickyFlags.has(path) || mayClearFlags.includes(first.layer)) return first;
  return offers.find((offer) => speaks(offer) && offer.fields.get(path) === true) ?? first;
}

/** The facts as fields. */
export function fieldsOf(facts: EndpointFacts): Fields {
  const fields = new Map<string, unknown>();
  for (const [member, value] of Object.entries(facts)) {
    if (!parts.includes(member)) fields.set(member, value);
    else for (const [name, said] of Object.entries(value)) fields.set(`${member}.${name}`, said);
  }
  return fields;
}

/** Inverse of {@link fieldsOf}. Made from entries, so that a field named `__proto__` is a field like any other. */
export function factsFrom(fields: Iterable<readonly [string, unknown]>): EndpointFacts {
  const members: [string, unknown][] = [];
  const inParts = new Map<string, [string, unknown][]>();
  for (const [path, value] of fields) {
    const part = parts.find((name) => path.startsWith(`${name}.`));
    if (part === undefined) {
      members.push([path, value]);
      continue;
    }
    const said = inParts.get(part) ?? [];
    said.push([path.slice(part.length + 1), value]);
    inParts.set(part, said);
  }
  for (const [part, said] of inParts) members.push([part, Object.fromEntries(said)]);
  return Object.fromEntries(members);
}
