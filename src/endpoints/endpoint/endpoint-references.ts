/** Removes references to endpoints that a reader may not see from metadata. Pure. */
import { isObject } from '../../documents/json.js';

/** Metadata of an endpoint or a tool, of any shape, since documents and operators write it. */
export interface Referring {
  readonly routing?: object;
  /** The operation that LightAPI describes. */
  readonly lightapi?: unknown;
}

/** Whether the reader may see the endpoint that a key refers to. */
export type IsSeen = (key: string) => boolean;

/**
 * The metadata without references to endpoints that the reader may not see: in the routing fields, and in the LightAPI
 * operation that they were read from.
 */
export function cutReferences<M extends Referring>(metadata: M, isSeen: IsSeen): M {
  const { routing, lightapi } = metadata;
  return {
    ...metadata,
    ...(routing !== undefined && { routing: cutRouting(routing, isSeen) }),
    ...(isObject(lightapi) && { lightapi: cutOperation(lightapi, isSeen) }),
  };
}

/** Cuts the references in routing metadata. */
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

type Json = Readonly<Record<string, unknown>>;

const meets = (key: unknown, isSeen: IsSeen): boolean => typeof key === 'string' && isSeen(key);

/** Returns the texts of a member that may be a text or a list of texts. */
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [value];

function within(json: Json, member: string, cut: (part: Json) => Json): Json {
  const part = json[member];
  return isObject(part) ? { ...json, [member]: cut(part) } : json;
}
