/** The fields of an exposure, and the rules of what a gateway can expose. Pure. */
import { Invalid, RuleBroken, type Fault } from '../kernel/errors.js';
import { text } from '../platform/http/schemas.js';
import { field, idField, optional, type Given, type Values } from '../platform/records/fields.js';
import type { ToolFacts } from '../tools/public.js';
import { credential } from './gateway.fields.js';

export const exposureEnds = { gatewayId: idField, toolId: idField };

const nullableText = { type: ['string', 'null'] } as const;

export const exposureFields = {
  targetHost: optional(
    field({
      sql: 'text',
      shown: {
        ...text(2000),
        description:
          'Where the gateway sends calls: of an HTTP API its base address, like https://accounts.example.com/v1; of an MCP server or a GraphQL service its own.',
      },
      answered: nullableText,
      /** Null: as the gateway's own configuration says. */
      stored: nullableText,
    }),
  ),
  protocol: optional(
    field({
      sql: 'text',
      shown: {
        type: 'string',
        pattern: '^[a-z][a-z0-9+.-]{0,15}$',
        description: 'Protocol of the downstream service, like https.',
      },
      answered: nullableText,
      stored: nullableText,
    }),
  ),
  runtime: optional(
    field({
      sql: 'jsonb',
      /** Known members; a gateway may know more of them. */
      shown: {
        type: 'object',
        maxProperties: 50,
        properties: {
          cacheTtlSeconds: { type: 'integer', minimum: 0 },
          costTier: { type: 'string', maxLength: 64 },
          estimatedLatencyMs: { type: 'integer', minimum: 0 },
          retry: { type: 'object' },
          rateLimit: { type: 'object' },
          allowPrivateTargetHost: { type: 'boolean' },
          auth: { title: 'Credential', type: 'object', ...credential },
          targets: {
            type: 'array',
            maxItems: 100,
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['api', 'targetHost'],
              properties: {
                api: { ...text(200), description: 'Its apiId, or apiId@version, as the steps write it.' },
                targetHost: text(2000),
                auth: { title: 'Credential', type: 'object', ...credential },
              },
            },
            description:
              'Of a composite that calls several APIs: where each of them is. One that calls one API goes to the targetHost of the tool.',
          },
        },
        description:
          'For the gateway alone: caching, cost, retries, limits, and the name of its credential downstream.',
      },
      answered: { type: 'object' },
      stored: { type: 'object' },
    }),
  ),
};

/** A tool as it is exposed. */
export type Exposure = Values<typeof exposureEnds> & Values<typeof exposureFields>;
/** A tool as it is to be exposed. */
export type ExposureBody = Given<typeof exposureFields> & { readonly toolId: string };
type Tools = ReadonlyMap<string, ToolFacts>;

/** Refuses unknown tools and tools of another environment: `tool_not_found`, `environment_mismatch`. */
export function refuseUnfit(envTag: string, wanted: readonly ExposureBody[], tools: Tools): void {
  const unknown: Fault[] = [];
  const foreign: Fault[] = [];
  wanted.forEach(({ toolId }, index) => {
    const tool = tools.get(toolId);
    if (tool === undefined) {
      unknown.push({ pointer: at(index), detail: 'is no tool here, or the token does not cover it' });
    } else if (tool.envTag !== null && tool.envTag !== envTag) {
      foreign.push({ pointer: at(index), detail: `is a tool of the environment ${tool.envTag}` });
    }
  });
  if (unknown.length > 0) throw new RuleBroken('tool_not_found', 'Nothing was exposed: see errors.', unknown);
  if (foreign.length > 0) {
    const detail = `The gateway serves the environment ${envTag} alone. Nothing was exposed: see errors.`;
    throw new RuleBroken('environment_mismatch', detail, foreign);
  }
}

/** Refuses two tools of one name: a gateway lists tools by name alone. */
export function refuseNamesakes(
  wanted: readonly ExposureBody[],
  tools: Tools,
  staying: readonly { readonly name: string; readonly toolId: string }[],
): void {
  const holders = new Map(staying.map(({ name, toolId }) => [name, toolId]));
  const seen = new Set<string>();
  const repeated: Fault[] = [];
  const taken: Fault[] = [];
  wanted.forEach(({ toolId }, index) => {
    const pointer = at(index);
    if (seen.has(toolId)) repeated.push({ pointer, detail: 'is named in this selection before' });
    seen.add(toolId);
    const name = tools.get(toolId)?.name ?? toolId;
    const holder = holders.get(name) ?? toolId;
    if (holder !== toolId) taken.push({ pointer, detail: `is called ${name}, as is the tool ${holder}` });
    holders.set(name, holder);
  });
  if (repeated.length > 0) throw new Invalid('invalid_body', 'Name each tool once.', repeated);
  if (taken.length > 0) {
    const detail = 'A gateway lists one tool under a name. Nothing was exposed: see errors.';
    throw new RuleBroken('exposure_name_taken', detail, taken);
  }
}

function at(index: number): string {
  return `/tools/${String(index)}/toolId`;
}
