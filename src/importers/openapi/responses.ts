import {
  below,
  entriesOf,
  isObject,
  member,
  objectMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { Copied } from '../schema/copied.js';
import type { SchemaCopier } from '../schema/schema-copier.js';
import { choose, isJson, isJsonLines } from './media-types.js';
import type { OpenApiDocument } from './openapi-document.js';

const PREFERRED = ['200', '201', '202', '203'];

/** The schema of what comes back when all goes well: of the first success status that says what its JSON looks like. */
export function outputSchema(
  document: OpenApiDocument,
  responses: Json | undefined,
  pointer: string,
  copier: SchemaCopier,
): Copied | undefined {
  for (const status of successes(responses)) {
    const part = document.part(member(responses, status), below(pointer, status), 'response');
    const content = objectMember(part?.value, 'content');
    const mediaType = content && jsonIn(content);
    if (!part || !content || mediaType === undefined) continue;
    const media = document.media(content, mediaType, part.pointer)?.value;
    const schema = member(media, 'schema') ?? listOf(member(media, 'itemSchema'));
    const copied =
      schema === undefined
        ? undefined
        : copyOutput(schema, below(part.pointer, 'content', mediaType, 'schema'), copier);
    if (copied && Object.keys(copied.schema).length > 0) return copied;
  }
  return undefined;
}

function successes(responses: Json | undefined): readonly string[] {
  const rank = (status: string) => {
    const preferred = PREFERRED.indexOf(status);
    return preferred < 0 ? PREFERRED.length : preferred;
  };
  const statuses = entriesOf(responses).map(([status]) => status);
  const good = statuses.filter((status) => /^2(\d\d|XX)$/i.test(status));
  if (good.length === 0 && statuses.length === 1 && statuses[0] === 'default') return statuses;
  return good.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** The media type of the JSON, else of the lines of it. */
function jsonIn(content: JsonObject): string | undefined {
  const chosen = choose(content);
  return chosen !== undefined && isJson(chosen) ? chosen : Object.keys(content).sort().find(isJsonLines);
}

/** OpenAPI 3.2 describes the items of a stream (JSON Lines) by themselves. */
function listOf(items: Json | undefined): Json | undefined {
  return items === undefined ? undefined : { type: 'array', items };
}

/** A response that is no more than a reference is what it refers to. */
function copyOutput(schema: Json, at: string, copier: SchemaCopier): Copied | undefined {
  const reference = member(schema, '$ref');
  if (typeof reference !== 'string' || !isObject(schema) || Object.keys(schema).length > 1)
    return copier.copyRoot(schema, at);
  const target = copier.source.find(reference);
  return target.kind === 'local' ? copier.definition(target.pointer) : copier.copyRoot(schema, at);
}
