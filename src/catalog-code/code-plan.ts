/** What it takes to make a catalog what documents say, and who may: a plan. Pure. */
import {
  type CodeDocument,
  type CodeKind,
  completed,
  digestOf,
  inOrder,
  isSame,
  normalized,
  placeOf,
  type Spec,
} from './code-document.js';

/** A record of the catalog as a document, with the id that it has here. */
export interface PresentDocument extends CodeDocument {
  readonly id: string;
}

/** Whose a record's fields are: those that `owner` applied, as long as they are as it left them. */
export interface Owned {
  readonly owner: string;
  /** Digests of the values that it gave, by field. */
  readonly applied: Readonly<Record<string, string>>;
}

/** How a field is to change, and whose it is: null where no repository has it, which makes it its operators'. */
export interface FieldChange {
  readonly field: string;
  /** Left out where the record is new. */
  readonly from?: unknown;
  readonly to?: unknown;
  readonly owner: string | null;
}

export const operations = ['create', 'update', 'adopt', 'switch-off', 'delete'] as const;

export interface Action {
  readonly op: (typeof operations)[number];
  readonly kind: CodeKind;
  readonly key: string;
  readonly changes: readonly FieldChange[];
}

/** Why something that the documents want can't be done. */
export interface Refused {
  readonly kind: CodeKind;
  readonly key: string;
  readonly field?: string;
  readonly code: string;
  readonly detail: string;
}

export interface PlanOptions {
  /** `repo:<name>`: whose the documents are. */
  readonly owner: string;
  /** Whether to take over what others have. */
  readonly adopt: boolean;
  /** Whether to take out of use what this owner has applied and names no more. */
  readonly prune: boolean;
  /** Most records that are taken out of use. */
  readonly maxDeletions: number;
}

/** What the catalog holds of what a plan is about. */
export interface Present {
  /** By {@link placeOf}. */
  readonly documents: ReadonlyMap<string, PresentDocument>;
  /** By {@link placeOf}. */
  readonly owned: ReadonlyMap<string, Owned>;
}

export interface Planned {
  readonly actions: readonly Action[];
  readonly refused: readonly Refused[];
}

/** Kinds whose records are deleted where others are switched off. */
const deleted: readonly CodeKind[] = ['Category', 'Tag', 'Webhook'];

/** Compares what documents say with what is there: actions in the order in which they can be carried out. */
export function planned(wanted: readonly CodeDocument[], present: Present, options: PlanOptions): Planned {
  const found = inOrder(wanted).map((document) => planOne(document, present, options));
  const actions = found.flatMap(({ action }) => action ?? []);
  const refused = found.flatMap((each) => each.refused);
  const named = new Set(wanted.map(placeOf));
  const gone = options.prune ? pruned(named, present, options) : [];
  if (gone.length <= options.maxDeletions) return { actions: [...actions, ...gone], refused };
  const detail = `${String(gone.length)} records would be taken out of use, and at most ${String(options.maxDeletions)} may. Look at the documents that are missing; then allow as many.`;
  const many = gone.map(({ kind, key }) => ({ kind, key, code: 'too_many_deletions', detail }));
  return { actions, refused: [...refused, ...many.slice(0, 1)] };
}

function planOne(
  { kind, key, spec }: CodeDocument,
  { documents, owned }: Present,
  options: PlanOptions,
): { readonly action?: Action; readonly refused: readonly Refused[] } {
  const place = placeOf({ kind, key });
  const there = documents.get(place);
  const fields = Object.entries(spec);
  if (there === undefined) {
    const changes = fields.map(([field, to]) => ({ field, to: normalized(to), owner: null }));
    return { action: { op: 'create', kind, key, changes }, refused: [] };
  }
  const ownership = owned.get(place);
  const differing = fields
    .map(([field, value]) => ({ field, from: there.spec[field], to: completed(value, there.spec[field]) }))
    .filter(({ from, to }) => !isSame(from, to))
    .map(({ field, from, to }) => {
      const owner = ownerOf(field, from, ownership);
      return { field, from: normalized(from), to: normalized(to), owner };
    });
  const foreign = differing.filter(({ owner }) => owner !== options.owner);
  if (foreign.length > 0 && !options.adopt) {
    const refused = foreign.map(({ field, owner }) => ({ kind, key, field, ...ownedByOthers(owner) }));
    return { refused };
  }
  const takesOver =
    options.adopt && fields.some(([field]) => ownerOf(field, there.spec[field], ownership) !== options.owner);
  if (differing.length === 0 && !takesOver) return { refused: [] };
  return { action: { op: takesOver ? 'adopt' : 'update', kind, key, changes: differing }, refused: [] };
}

/** A field is a repository's as long as it is as that left it: whoever changed it since has it now. */
export function ownerOf(field: string, value: unknown, owned: Owned | undefined): string | null {
  return owned?.applied[field] === digestOf(value) ? owned.owner : null;
}

function ownedByOthers(owner: string | null): Pick<Refused, 'code' | 'detail'> {
  const whose =
    owner === null
      ? 'The field was written by operators, or by no repository'
      : `The field belongs to ${owner}`;
  return {
    code: owner === null ? 'owned_by_operators' : 'owned_by_another_repository',
    detail: `${whose}: plan with adopt to take it over, or leave it out of the document.`,
  };
}

/** Takes out of use what the owner has applied and no document names, what refers to others first. */
function pruned(named: ReadonlySet<string>, { documents, owned }: Present, { owner }: PlanOptions): Action[] {
  const gone = [...documents.values()].filter(
    (document) => owned.get(placeOf(document))?.owner === owner && !named.has(placeOf(document)),
  );
  return inOrder(gone)
    .reverse()
    .flatMap(({ kind, key, spec }): Action[] => {
      if (deleted.includes(kind)) return [{ op: 'delete', kind, key, changes: [] }];
      if (spec['active'] !== true) return [];
      const whose = ownerOf('active', true, owned.get(placeOf({ kind, key })));
      const change = { field: 'active', from: true, to: false, owner: whose };
      return [{ op: 'switch-off', kind, key, changes: [change] }];
    });
}

/** The values that an action sets. */
export function setBy({ changes }: Pick<Action, 'changes'>): Spec {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]));
}

/** Whether what the action starts from is still there as it was. */
export function isAsPlanned({ op, kind, key, changes }: Action, { documents, owned }: Present): boolean {
  const there = documents.get(placeOf({ kind, key }));
  if (op === 'create') return there === undefined;
  if (there === undefined) return false;
  const ownership = owned.get(placeOf({ kind, key }));
  return changes.every(
    ({ field, from, owner }) =>
      isSame(there.spec[field], from) && ownerOf(field, there.spec[field], ownership) === owner,
  );
}

/** A plan in words, as Markdown. */
export function planText({ actions, refused }: Planned): string {
  if (actions.length + refused.length === 0) return 'Nothing to do: the catalog is what the documents say.\n';
  const lines = actions.flatMap(({ op, kind, key, changes }) => [
    `- **${op}** ${kind} \`${key}\``,
    ...(op === 'create' || op === 'delete' ? [] : changes.map(changeText)),
  ]);
  const refusals = refused.map(
    ({ kind, key, field, code, detail }) =>
      `- ${kind} \`${key}\`${field === undefined ? '' : `, ${field}`}: ${detail} (\`${code}\`)`,
  );
  return [
    ...(lines.length > 0 ? ['## Would be done', '', ...lines, ''] : []),
    ...(refusals.length > 0 ? ['## Refused', '', ...refusals, ''] : []),
  ].join('\n');
}

function changeText({ field, from, to, owner }: FieldChange): string {
  return `  - ${field}: ${shown(from)} → ${shown(to)}${owner === null ? ' (now its operators’)' : ''}`;
}

const longest = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return `\`${(text.length > longest ? `${text.slice(0, longest)}…` : text).replaceAll('`', 'ˋ')}\``;
}
