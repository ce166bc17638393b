import { Post } from '@nestjs/common';
import { Invalid } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { listAnswer } from '../../platform/http/schemas.js';
import { readRoute, writeRoute } from '../../platform/records/routes.js';
import { requireTool } from '../tool/tools.filter.js';
import { readingForReads } from '../../registry/public.js';
import { compareVersions } from '../../registry/shared.js';
import { type KnownVersion, versionsOf, versionStatesOf } from '../tool/tool-versions.lookup.js';
import {
  deprecationBody,
  listedVersion,
  listedVersionExample,
  MAX_LISTED,
  newVersion,
  retirementBody,
  knownVersion,
  versionAnswer,
  versionReceipt,
  versionReceiptExample,
  type VersionsQuery,
  versionsQuery,
  withdrawalBody,
} from './version-answers.schemas.js';
import { specOf } from './version-specs.lookup.js';
import { movingReceipt } from './version-moves.schemas.js';
import {
  DeprecateVersion,
  DraftVersion,
  RetireVersion,
  seenVersion,
  SubmitVersion,
  WithdrawVersion,
} from './version-writes.planner.js';

/** A page of the versions of a tool, the newest first; throws NotFound, and Invalid `invalid_cursor`. */
export async function listVersions(
  sql: Sql,
  visibility: Visibility,
  toolId: string,
  { limit = MAX_LISTED, cursor }: VersionsQuery = {},
): Promise<object> {
  await requireTool(sql, visibility, toolId);
  const last = cursor === undefined ? undefined : lastOf(cursor);
  const states = (await versionStatesOf(sql, visibility.hostId, [toolId])).get(toolId) ?? [];
  const left = states
    .map(({ version }) => version)
    .filter((version) => last === undefined || compareVersions(version, last) < 0);
  const page = left.slice(0, limit);
  const versions = await versionsOf(sql, visibility.hostId, [toolId], { versions: page });
  const nextCursor = left.length > limit && Buffer.from(page.at(-1) ?? '').toString('base64url');
  return { items: versions.map(listedOf), ...(nextCursor && { nextCursor }) };
}

/** The last version of the page before. */
function lastOf(cursor: string): string {
  const version = Buffer.from(cursor, 'base64url').toString();
  if (new RegExp(knownVersion.pattern).test(version)) return version;
  throw new Invalid('invalid_cursor', 'The cursor is not one of this list. Begin again without it.');
}

/** The members of a list: what a version is made of is in its own answer. */
function listedOf(version: KnownVersion) {
  const { content: _c, specText: _s, evalConfig: _e, evalConfigText: _t, accepted: _a, ...listed } = version;
  return shown(listed);
}

/** Without what other versions say. */
function shown<Known extends { readonly writtenText: unknown }>({ writtenText: _, ...own }: Known) {
  return own;
}

const path = 'tools/:toolId/versions';
const params = { version: listedVersion.properties.version } as const;

const verb = <Id extends { readonly id: string; readonly summary: string }>(spec: Id) =>
  ({ scope: 'catalog:write', params, answer: versionReceipt, ...spec }) as const;

const moves = { skills: [], agents: [], gateways: [] } as const;

export const versionRoutes = [
  readRoute<VersionsQuery>(
    path,
    {
      id: 'listToolVersions',
      summary: 'List the versions of a tool',
      description: 'All of them, the newest first, whatever became of them, by pages of at most 100.',
      scope: 'catalog:read',
      confined: 'refused',
      query: versionsQuery,
      answer: listAnswer(listedVersion),
      example: { answer: { items: [listedVersionExample] } },
    },
    (sql, { visibility, params: { toolId = '' }, query }) => listVersions(sql, visibility, toolId, query),
  ),
  readRoute(
    `${path}/:version`,
    {
      id: 'getToolVersion',
      summary: 'Get a version of a tool',
      description: 'With all that it is made of, and who wrote, evaluated and approved it.',
      scope: 'catalog:read',
      confined: 'refused',
      params,
      answer: versionAnswer,
      example: {
        answer: {
          ...listedVersionExample,
          ...{ content: { description: 'Shows a balance.' }, specText: null },
          ...{ title: 'Balance of an account', owner: 'accounts team' },
          examples: [{ prompt: 'How much is on my account?' }],
          evalConfig: {
            prompts: [{ prompt: 'How much is on it?', expected: ['getAccountByNo'], forbidden: [] }],
            thresholds: {},
          },
          evalConfigText: null,
          accepted: [],
        },
      },
    },
    async (sql, { visibility, params: { toolId = '', version = '' } }) => {
      const known = await seenVersion(sql, visibility, { toolId, version });
      const { title, owner, examples } =
        known.about ?? (await specOf(known, readingForReads(visibility.hostId)));
      return { ...shown(known), title, owner, examples };
    },
  ),
  writeRoute(
    [Post, path],
    {
      id: 'draftToolVersion',
      summary: 'Write a version of a tool',
      description:
        'As a draft, which may be written again until it is submitted. `version_exists` where the number is taken, ' +
        '`version_too_small` where it is too small a step for what changes. What is left out stays as in the version before, but ' +
        'for what it is evaluated by: that is of this version alone.',
      scope: 'catalog:write',
      body: newVersion,
      status: 201,
      answer: versionReceipt,
      example: {
        body: {
          version: '1.1.0',
          description: 'Shows the balance of one account.',
          inputSchema: { type: 'object', properties: { accountNo: { type: 'string' } } },
        },
        answer: { ...versionReceiptExample, toolVersion: '1.1.0', state: 'draft' },
      },
    },
    DraftVersion,
  ),
  writeRoute(
    [Post, `${path}/:version/submit`],
    {
      ...verb({ id: 'submitToolVersion', summary: 'Ask for a review of a version' }),
      description: 'From then on it stays as it is.',
      example: { answer: { ...versionReceiptExample, state: 'in_review' } },
    },
    SubmitVersion,
  ),
  writeRoute(
    [Post, `${path}/:version/withdraw`],
    {
      ...verb({ id: 'withdrawToolVersion', summary: 'Withdraw a version of one’s own' }),
      description:
        'By who wrote it last (`not_own_version`), while it is a draft or in review: for good, as one that is rejected. Another version ' +
        'takes the next number.',
      body: withdrawalBody,
      example: {
        body: { reason: 'The operation takes no such parameter.' },
        answer: { ...versionReceiptExample, state: 'rejected' },
      },
    },
    WithdrawVersion,
  ),
  writeRoute(
    [Post, `${path}/:version/deprecate`],
    {
      ...verb({ id: 'deprecateToolVersion', summary: 'Deprecate a version' }),
      answer: movingReceipt,
      description:
        'Agents are still given it, with the day and the message. `moves` says whom its retirement would give another version.',
      body: deprecationBody,
      example: {
        body: { on: '2026-09-01', message: 'Take 2.0.0: it knows accounts of all branches.' },
        answer: { ...versionReceiptExample, state: 'deprecated', moves },
      },
    },
    DeprecateVersion,
  ),
  writeRoute(
    [Post, `${path}/:version/retire`],
    {
      ...verb({ id: 'retireToolVersion', summary: 'Retire a version' }),
      description:
        'No agent is given it any more. `version_pinned` while links of skills take it, unless a reason is given: they go back to an ' +
        'older version, or to none. `dryRun` says which, and from which version to which.',
      answer: movingReceipt,
      body: retirementBody,
      example: { body: {}, answer: { ...versionReceiptExample, state: 'retired', moves } },
    },
    RetireVersion,
  ),
];
