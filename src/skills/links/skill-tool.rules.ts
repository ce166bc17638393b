/** What the link of a skill to a tool holds, and the rules about it. Pure. */
import { Invalid, RuleBroken } from '../../kernel/errors.js';
import { loosensLimit, type Tier } from '../../platform/auth/sensitivity-tier.js';
import { text } from '../../platform/http/schemas.js';
import { partsOf, rangeOf, rangePattern, rangeTakes } from '../../registry/shared.js';
import {
  field,
  later,
  optional,
  type Given,
  type HasColumn,
  type Values,
} from '../../platform/records/fields.js';

/** From the narrowest to the widest: see {@link leastAccessLevel}. */
export const accessLevels = ['read', 'write', 'execute'] as const;
export type AccessLevel = (typeof accessLevels)[number];

/**
 * Settings of a tool within one skill. No other members are admitted, since a misspelt one would be a guard that is never
 * applied; free text goes into `notes`.
 */
export const linkConfig = {
  title: 'SkillToolConfig',
  type: 'object',
  additionalProperties: false,
  properties: {
    approvalWorkflow: {
      type: 'string',
      maxLength: 253,
      pattern: '^[^\\s/]+(/[^\\s/]+)?$',
      description:
        'wfDefId or namespace/name of the workflow that approves calls. Setting it needs catalog:admin.',
    },
    maxSensitivityTier: {
      type: 'string',
      enum: ['public', 'internal', 'confidential', 'restricted'],
      description:
        'The tool is withheld where its tier is above this one. Raising or clearing it needs catalog:admin.',
    },
    priority: {
      type: 'integer',
      minimum: -1_000_000,
      maximum: 1_000_000,
      description: 'Ranking weight of the tool within this skill: the higher, the earlier.',
    },
    description: {
      ...text(4000),
      description: 'In place of the description of the tool, within this skill.',
    },
    examples: {
      type: 'array',
      maxItems: 50,
      items: text(500),
      description: 'What people say when they want this tool within this skill.',
    },
    notes: { ...text(4000), description: 'How the tool is to be used within this skill.' },
  },
} as const;

const accessLevel = { type: 'string', enum: accessLevels } as const;

export const skillToolFields = {
  accessLevel: optional(
    field({
      sql: 'text',
      shown: {
        ...accessLevel,
        description:
          'read admits read-only tools, write also those that are not destructive, execute all. Left out, it is the least that admits the tool as it is now.',
      },
      answered: accessLevel,
      stored: { enum: accessLevels },
    }),
  ),
  range: optional(
    later(
      field({
        sql: 'text',
        shown: {
          type: 'string',
          pattern: rangePattern,
          description:
            'Which versions of the tool agents are given with this skill: the newest approved of `1.2.0`, `~1.2` or `^1.2`. `approved` takes the ' +
            'major that is the newest now. Left out, a new link takes `approved`, and one that is there stays as it is.',
        },
        answered: {
          type: ['string', 'null'],
          description: 'Null: the newest approved version, whichever it is.',
        },
        stored: { type: ['string', 'null'] },
      }),
    ),
  ),
  config: field({ sql: 'jsonb', shown: { ...linkConfig, default: {} }, stored: { type: 'object' } }),
};

/** The first version that the range of a link takes, and the first after the last; both null where it takes all. */
export const rangeColumns: Readonly<Record<string, HasColumn>> = {
  rangeFrom: { sql: 'text' },
  rangeBefore: { sql: 'text' },
};

export function boundsOf({ range }: Pick<Values<typeof skillToolFields>, 'range'>) {
  const bounds = range === null ? undefined : rangeOf(range);
  return { rangeFrom: bounds?.from ?? null, rangeBefore: bounds?.before ?? null };
}

/**
 * The range that a link keeps.
 *
 * @param asked what the request says of it
 * @param former of the link that is there; undefined of a new one
 * @param newest the version that agents are given of the tool now
 */
export function rangeKept(
  asked: string | undefined,
  former: string | null | undefined,
  newest: string,
): string | null {
  if (asked === undefined && former !== undefined) return former;
  if (asked !== undefined && asked !== 'approved') {
    if (rangeOf(asked) !== undefined) return asked;
    const detail = 'must be a whole version, or one after ~ or ^: 1.2.0, ~1.2, ^1';
    throw new Invalid('invalid_body', `${asked} is no range of versions.`, [{ pointer: '/range', detail }]);
  }
  return `^${String(partsOf(newest)[0])}`;
}

/** The version that a link takes; null for none. @param versions that agents may be given, newest first */
export function takenBy(range: string | null, versions: readonly string[]): string | null {
  return versions.find((version) => range === null || rangeTakes(range, version)) ?? null;
}

/** Most versions that a refusal names. */
const MAX_NAMED = 10;

/**
 * Refuses a range that no version is in which agents are given or may come to be given: they would never be given the tool. A draft
 * is enough, and so is a version in review.
 *
 * @param versions of the tool, newest first
 */
export function refuseEmptyRange(
  name: string,
  range: string,
  versions: readonly { readonly version: string; readonly state: string }[],
): void {
  const taken = versions.filter(({ version }) => rangeTakes(range, version));
  if (taken.some(({ state }) => state !== 'retired' && state !== 'rejected')) return;
  const retired = taken.find(({ state }) => state === 'retired');
  if (retired !== undefined) throw onlyRetired(name, range, retired.version, versions);
  const there = versions.filter(({ state }) => state !== 'retired' && state !== 'rejected');
  const named = there.slice(0, MAX_NAMED).map(({ version }) => version);
  const all = [...named, ...(there.length > MAX_NAMED ? ['…'] : [])].join(', ');
  const detail =
    `${range} takes none of ${name}’s versions (${all === '' ? 'there is none' : all}). Take a range that one of them is in, ` +
    'or write the version first: a draft is enough.';
  throw new RuleBroken('range_takes_nothing', detail);
}

function onlyRetired(
  name: string,
  range: string,
  retired: string,
  versions: Parameters<typeof refuseEmptyRange>[2],
): RuleBroken {
  const live = versions.filter(({ state }) => state === 'approved' || state === 'deprecated');
  const others = live.map(({ version }) => version).join(', ');
  const instead = others === '' ? 'Approve another version first.' : `Link one of ${others}.`;
  const detail = `Version ${retired} of ${name} is retired, and ${range} takes no other. ${instead}`;
  return new RuleBroken('version_retired', detail);
}

/** A link as requests and documents give it. */
export type LinkBody = Given<typeof skillToolFields>;

/** The safety flags that the access level depends on; undefined where a flag is not set. */
export interface AccessSafety {
  readonly readOnly?: boolean | undefined;
  readonly destructive?: boolean | undefined;
}

/**
 * The least access level that admits a tool (docs/contract.md, section 6): `read` admits read-only tools, `write` those that are
 * not destructive as well, `execute` every tool.
 */
export function leastAccessLevel({ readOnly = false, destructive = false }: AccessSafety): AccessLevel {
  if (readOnly) return 'read';
  return destructive ? 'execute' : 'write';
}

/** A link as it is, or as it was when it was taken away. */
export interface FormerLink {
  readonly active: boolean;
  readonly approvalWorkflow: string | null;
  readonly maxSensitivityTier: Tier | null;
  /** Of versions; null takes the newest. */
  readonly range: string | null;
  /** What agents read in place of the texts of the tool. */
  readonly description: string | null;
  readonly examples: readonly string[] | null;
  readonly notes: string | null;
}

/** The texts of the config that agents did not read before in place of those of the tool. */
export function newTexts(
  former: FormerLink | undefined,
  { description, examples }: LinkBody['config'],
): readonly string[] {
  const known = former?.active === true ? [former.description, ...(former.examples ?? [])] : [];
  return [description, ...(examples ?? [])].filter(
    (said): said is string => said !== undefined && !known.includes(said),
  );
}

/** Whether the config names another approval workflow or loosens the limit, which only administrators may (docs/contract.md, section 2). */
export function loosensLink(
  former: FormerLink | undefined,
  { approvalWorkflow, maxSensitivityTier }: Readonly<Record<string, unknown>>,
): boolean {
  const approved = former?.active ? former.approvalWorkflow : null;
  if (approvalWorkflow !== undefined && approvalWorkflow !== approved) return true;
  // Checked by the schema when it was written.
  return loosensLimit(former?.maxSensitivityTier ?? undefined, maxSensitivityTier as Tier | undefined);
}
