import { hash } from 'node:crypto';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { UnreadableDocument } from '../../documents/findings.js';
import { readJson, type Json } from '../../documents/json.js';
import { skillFolderLimits } from '../../documents/limits.js';
import { addressOf, DocumentFetch, fetchedAddress } from '../../importers/public.js';
import { Operation } from '../../platform/http/operation.js';
import { Problem } from '../../platform/http/problem.js';
import { objectOf } from '../../platform/http/schemas.js';
import { publicName } from '../public-entry.rules.js';
import { sourceKinds, type Offer } from './offer.js';
import { readSource } from './read-source.js';

/** Skills whose content one request fetches. */
const MAX_SKILLS = 10;
/** Read on the main thread: bytes of a document, and values in it. */
const [MAX_BYTES, MAX_NODES] = [4 * 1024 * 1024, 200_000];

const lookBody = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: {
      ...fetchedAddress,
      description:
        'A list of an MCP Registry (https://registry.example.com/v0.1/servers), an A2A agent card, or an index of agent skills.',
    },
    skills: {
      type: 'array',
      maxItems: MAX_SKILLS,
      uniqueItems: true,
      items: publicName,
      default: [],
      description: 'Names of skills of the index whose content is fetched, too.',
    },
  },
} as const satisfies JSONSchema;

const textOrNull = { type: ['string', 'null'] } as const;

const lookAnswer = objectOf({
  url: { type: 'string' },
  source: { enum: sourceKinds },
  items: {
    type: 'array',
    items: objectOf({
      kind: { enum: ['agent', 'gateway', 'skill'], description: 'What it would be here.' },
      ...{ name: { type: 'string' }, description: { type: 'string' }, version: textOrNull },
      url: { ...textOrNull, description: 'Where it is called or, of a skill, fetched.' },
      digest: textOrNull,
      fault: { ...textOrNull, description: 'Why it can’t be taken in.' },
      content: {
        type: ['object', 'null'],
        required: ['mediaType', 'base64'],
        properties: { mediaType: { type: 'string' }, base64: { type: 'string' } },
        description:
          'Of a skill that was asked for: the body and the Content-Type of `POST …/skills/import`.',
      },
    }),
  },
  next: { ...textOrNull, description: 'Address of the next page.' },
});

const example = {
  kind: 'skill',
  name: 'refunds',
  description: 'How to pay back.',
  version: null,
  url: 'https://catalog.example.com/.well-known/agent-skills/refunds/SKILL.md',
  digest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  fault: null,
  content: null,
} as const;
const exampleUrl = 'https://catalog.example.com/.well-known/agent-skills/index.json';

const accept = 'application/json, application/a2a-agent-card+json;q=0.9, */*;q=0.5';

/** A skill’s content as it is sent to an import. */
interface Content {
  readonly mediaType: string;
  readonly base64: string;
}

/** Looks at what others offer by a standard of discovery. Takes nothing in: that is asked for with what was looked at. */
@Controller('v1/hosts/:hostId/imports/look')
export class SourceLookController {
  constructor(private readonly documents: DocumentFetch) {}

  @Post()
  @HttpCode(200)
  @Operation({
    id: 'lookAtSource',
    summary: 'Look at what a registry, an agent card or an index of skills offers',
    description:
      'Fetches it through the guard of all that goes out, as `POST …/imports/fetch` does, and says what may be taken in: MCP servers as ' +
      'gateways, agents, skills. Writes nothing. A skill’s content is checked against the digest of its index.',
    ...{ scope: 'catalog:write', confined: 'refused', reads: true, tag: 'imports' },
    ...{ body: lookBody, answer: lookAnswer },
    example: {
      body: { url: exampleUrl },
      answer: { url: exampleUrl, source: 'agent-skills', items: [example], next: null },
    },
  })
  async look(@Body() { url, skills }: FromSchema<typeof lookBody>): Promise<object> {
    const at = addressOf(url);
    const { text } = await this.documents.textAt(at, accept, MAX_BYTES);
    const found = readSource(parsed(text, at), at);
    if (found === undefined) throw unknownSource(at);
    const items: object[] = [];
    for (const offer of found.offers) {
      const isWanted = offer.kind === 'skill' && offer.fault === null && skills.includes(offer.name);
      items.push({ ...offer, content: null, ...(isWanted && (await this.contentOf(offer))) });
    }
    return { url, source: found.source, items, next: found.next };
  }

  private async contentOf({ url, digest }: Offer): Promise<{ content: Content } | { fault: string }> {
    try {
      const bytes = await this.documents.bytesAt(addressOf(url ?? ''), '*/*', skillFolderLimits.bytes);
      if (`sha256:${hash('sha256', bytes, 'hex')}` !== digest)
        return {
          fault: 'What its address answers has another digest than the index says: it is not taken in.',
        };
      return { content: { mediaType: mediaTypeOf(bytes), base64: Buffer.from(bytes).toString('base64') } };
    } catch (error) {
      if (error instanceof Problem) return { fault: error.message };
      throw error;
    }
  }
}

/** By the first bytes: what a server says of its files is often wrong. */
function mediaTypeOf(bytes: Uint8Array): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'application/gzip';
  return bytes[0] === 0x50 && bytes[1] === 0x4b ? 'application/zip' : 'text/markdown';
}

function parsed(text: string, at: URL): Json {
  try {
    return readJson(text, { maxNodes: MAX_NODES }) as Json;
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    throw unknownSource(at);
  }
}

function unknownSource({ origin, pathname }: URL): Problem {
  const detail =
    `What ${origin}${pathname} answers is no list of an MCP Registry (/v0.1/servers), no A2A agent card ` +
    '(/.well-known/agent-card.json) and no index of agent skills (/.well-known/agent-skills/index.json).';
  return new Problem(422, 'source_unknown', detail);
}
