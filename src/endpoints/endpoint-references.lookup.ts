import type { Sql } from '../eventsourcing/sql.js';
import { isNarrowed, type Visibility } from '../platform/auth/visibility.js';
import { visibleEndpoints } from './endpoints.filter.js';

/** What metadata says of an endpoint or a tool, of any shape: documents and operators wrote it. */
export interface Referring {
  readonly routing?: object;
  /** The operation that LightAPI describes. */
  readonly lightapi?: unknown;
}

/** Whether the reader may see what is meant by an endpoint key. */
export type IsSeen = (key: string) => boolean;

/**
 * The metadata with those references to other endpoints alone whose endpoints the reader may see: in the routing words,
 * and in the LightAPI operation that they were read from.
 */
export function cutReferences<M extends Referring>(metadata: M, isSeen: IsSeen): M {
  const { routing, lightapi } = metadata;
  return {
    ...metadata,
    ...(routing !== undefined && { routing: cutRouting(routing, isSeen) }),
    ...(isObject(lightapi) && { lightapi: cutOperation(lightapi, isSeen) }),
  };
}

/** The same of routing words. */
export function cutRouting<R extends object>(routing: R, isSeen: IsSeen): R {
  const cut = Object.entries(routing).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    if (name === 'dependencies')
      return [[name, listOf(value).filter((to) => isObject(to) && meets(to['endpoint'], isSeen))]];
    if (name === 'fallbackEndpoint') return meets(value, isSeen) ? [[name, value]] : [];
    return [[name, value]];
  });
  return Object.fromEntries(cut) as R;
}

function cutOperation(operation: Json, isSeen: IsSeen): Json {
  const cutSkill = (skill: Json): Json =>
    'relatedOperations' in skill
      ? {
          ...skill,
          relatedOperations: listOf(skill['relatedOperations']).filter((key) => meets(key, isSeen)),
        }
      : skill;
  const withAgent = within(operation, 'agent', (agent) => within(agent, 'skill', cutSkill));
  return within(withAgent, 'metadata', (metadata) =>
    within(metadata, 'routing', (routing) => cutRouting(routing, isSeen)),
  );
}

/**
 * What a reader may see of the references of a tool or endpoint of this API version. A key means the endpoint of the
 * version that names it; where that has none, whatever has it. Who is confined to an agent's catalog sees those that the catalog names.
 */
export async function referencesSeen(
  sql: Sql,
  visibility: Visibility,
  apiVersionId: string | null,
  metadata: readonly Referring[],
): Promise<IsSeen> {
  const { within: confines } = visibility;
  if (confines !== undefined) return (key) => confines.references(key, apiVersionId ?? undefined);
  if (!isNarrowed(visibility)) return () => true;
  const keys = new Set<string>();
  for (const each of metadata) cutReferences(each, (key) => keys.add(key).has(key));
  if (keys.size === 0) return () => false;
  const where = visibleEndpoints(visibility)
    .add('endpoint = ANY(?::text[])', [...keys])
    .add(
      `api_version_id = ?::uuid OR NOT EXISTS (
         SELECT FROM api_endpoint_t own
         WHERE own.host_id = e.host_id AND own.api_version_id = ?::uuid AND own.endpoint = e.endpoint)`,
      apiVersionId,
      apiVersionId,
    );
  const rows = await sql.query<{ readonly key: string }>(
    `SELECT DISTINCT endpoint AS key FROM api_endpoint_t e ${where.sql()}`,
    where.values,
  );
  const seen = new Set(rows.map(({ key }) => key));
  return (key) => seen.has(key);
}

type Json = Readonly<Record<string, unknown>>;

const meets = (key: unknown, isSeen: IsSeen): boolean => typeof key === 'string' && isSeen(key);

/** The texts of a member that may be one of them, or a list. */
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [value];

function within(json: Json, member: string, cut: (part: Json) => Json): Json {
  const part = json[member];
  return isObject(part) ? { ...json, [member]: cut(part) } : json;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
