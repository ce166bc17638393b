import { v7 } from 'uuid';
import {
  api,
  apiExists,
  apiVersion as versionOfApi,
  type ApiVersionFacts,
  findApiVersionOf,
  requireApiVersion,
  requireWholeVersion,
  versionsBeside,
} from '../endpoints/public.js';
import type { ApiType } from '../formats/shared.js';
import { newlyAddressesModel } from '../platform/validation/untrusted-text.js';
import type { DocumentWarning } from '../documents/findings.js';
import type { Command } from '../kernel/command.js';
import { NotFound, RuleBroken } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import { mayLoosen, refuseLessGuarded } from '../platform/auth/claims.js';
import type { ChangesOf } from '../platform/records/record-spec.js';
import type { Writer } from '../platform/use-cases/use-case.js';
import { settingsOf } from '../settings/public.js';

/** The token of an import. */
export type Importer = Pick<Writer, 'caller' | 'visibility'>;

/** The version that a document goes into, with the commands that make it first. */
export interface Target {
  readonly hostId: string;
  readonly version: Omit<ApiVersionFacts, 'active' | 'apiActive'>;
  readonly commands: readonly Command[];
  /** Warnings about the target, for the report. */
  readonly warnings?: readonly DocumentWarning[];
  /** Whether the token may loosen guards (docs/contract.md, section 2). */
  readonly mayLoosen: boolean;
}

/** Finds a version to import into. The token must read all its endpoints: the report covers all, and all may change. */
export async function importedVersion(sql: Sql, importer: Importer, apiVersionId: string): Promise<Target> {
  const target = await existingVersion(sql, importer, apiVersionId);
  await requireWholeVersion(sql, importer.visibility, apiVersionId);
  return target;
}

/** Finds a version. Throws NotFound, also where the token does not cover it (docs/contract.md, section 2). */
export async function existingVersion(
  sql: Sql,
  { caller, visibility }: Importer,
  apiVersionId: string,
): Promise<Target> {
  const version = await requireApiVersion(sql, visibility, apiVersionId);
  return { hostId: visibility.hostId, version, commands: [], mayLoosen: mayLoosen(caller) };
}

export interface NewVersion {
  readonly apiId: string;
  readonly apiVersion: string;
  readonly apiType: ApiType;
  readonly serviceId: string;
  readonly envTag: string | null;
  readonly apiVersionDesc?: string | null;
  readonly quarantine?: boolean;
}

/** Changes a version. Only an administrator may end its quarantine (docs/contract.md, section 2). */
export function changedVersion(
  { caller }: Importer,
  { version, ...target }: Target,
  fields: ChangesOf<typeof versionOfApi.spec>,
): Target {
  const { quarantine = version.quarantine } = fields;
  refuseLessGuarded(caller, version.quarantine && !quarantine);
  return {
    ...target,
    version: { ...version, quarantine },
    commands: [versionOfApi.change(target.hostId, version.apiVersionId, fields)],
  };
}

/** Makes a version of an API that exists. */
export async function newVersion(sql: Sql, importer: Importer, wanted: NewVersion): Promise<Target> {
  const { hostId } = importer.visibility;
  if (!(await apiExists(sql, hostId, wanted.apiId))) throw new NotFound('API', wanted.apiId);
  if ((await findApiVersionOf(sql, hostId, wanted.apiId, wanted.apiVersion)) !== undefined) {
    throw new RuleBroken(
      'api_version_exists',
      `The API ${wanted.apiId} has a version ${wanted.apiVersion} already. Change it with PATCH, or name another version.`,
    );
  }
  return making(sql, importer, wanted);
}

/** The identity of a version, and what it is made from where it is missing. */
export interface WantedVersion {
  readonly apiId: string;
  readonly apiName?: string;
  /** Chosen by the document where undefined. */
  readonly apiVersion: string | undefined;
  readonly serviceId: string;
  readonly envTag: string | null;
  readonly apiType: ApiType | undefined;
  readonly madeFrom: {
    readonly format: ApiType;
    readonly title?: string | undefined;
    readonly version?: string | undefined;
  };
}

/** Finds the version with these fields, or makes it with its API. */
export async function versionFor(sql: Sql, importer: Importer, wanted: WantedVersion): Promise<Target> {
  const { hostId } = importer.visibility;
  const { apiId, serviceId, envTag, apiType, madeFrom } = wanted;
  const apiVersion = wanted.apiVersion ?? documentedVersion(madeFrom.version);
  const found = await findApiVersionOf(sql, hostId, apiId, apiVersion);
  if (found !== undefined) {
    const same = found.serviceId === serviceId && found.envTag === envTag;
    if (!same || (apiType !== undefined && found.apiType !== apiType)) throw otherVersion(apiId, apiVersion);
    return importedVersion(sql, importer, found.apiVersionId);
  }
  const made = await making(sql, importer, {
    ...{ apiId, apiVersion, serviceId, envTag },
    apiType: apiType ?? madeFrom.format,
  });
  if (await apiExists(sql, hostId, apiId)) {
    if (wanted.apiVersion !== undefined) return made;
    const beside = await versionsBeside(sql, hostId, { apiId, serviceId, envTag });
    return { ...made, warnings: beside.slice(0, 1).map((other) => besideOther(apiId, apiVersion, other)) };
  }
  const apiName = wanted.apiName ?? nameFrom(madeFrom.title) ?? apiId;
  return { ...made, commands: [api.ensure(hostId, apiId, { apiName }), ...made.commands] };
}

/** Takes the version from the document, or 1.0.0 where the document has none that fits. */
function documentedVersion(version: string | undefined): string {
  const line = version?.trim() ?? '';
  const fits = line !== '' && line.length <= MAX_VERSION_LENGTH && !/\p{Cc}/u.test(line);
  return fits && !newlyAddressesModel(undefined, line) ? line : '1.0.0';
}

/** Characters of a version of an API. */
const MAX_VERSION_LENGTH = 64;

function besideOther(apiId: string, apiVersion: string, other: string): DocumentWarning {
  const detail = `The document is version ${apiVersion} of ${apiId}: it gets an API version of its own beside ${other}, with endpoints and tools of its own. To bring it into the other, name apiVersion ${other}.`;
  return { code: 'version_made', pointer: '', detail };
}

/** Makes a name from a document's title: one line of at most 128 characters, without text that addresses the model. */
function nameFrom(title: string | undefined): string | undefined {
  const line = title?.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line === undefined || line === '' || newlyAddressesModel(undefined, line)) return undefined;
  return Array.from(line).slice(0, 128).join('').trim();
}

/** In quarantine where the host's setting says so; to be made without it then is the administrator's (docs/contract.md, section 2). An agent has no tools. */
async function making(sql: Sql, { caller, visibility }: Importer, wanted: NewVersion): Promise<Target> {
  const { hostId } = visibility;
  const usual = wanted.apiType !== 'agent' && (await settingsOf(sql, hostId)).quarantine;
  const { quarantine = usual } = wanted;
  refuseLessGuarded(caller, usual && !quarantine);
  const apiVersionId = v7();
  const { apiId, apiVersion, apiType, serviceId, envTag } = wanted;
  return {
    hostId,
    version: { apiVersionId, apiId, apiVersion, apiType, serviceId, envTag, quarantine },
    commands: [versionOfApi.create(hostId, apiVersionId, { ...wanted, quarantine })],
    mayLoosen: mayLoosen(caller),
  };
}

/** Refuses without naming the owner of the version: the token may not cover it. */
function otherVersion(apiId: string, apiVersion: string): RuleBroken {
  return new RuleBroken(
    'api_version_mismatch',
    `Version ${apiVersion} of the API ${apiId} exists with another serviceId, envTag or apiType. Name another apiVersion.`,
  );
}
