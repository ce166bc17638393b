import type { JSONSchema } from 'json-schema-to-ts';
import { objectOf, uuid } from '../../platform/http/schemas.js';
import { differences, differencesExample, listedVersion, movesAnswer } from '../../tools/shared.js';
import { needs } from './version-needs.js';

const string = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
/** RFC 6901, in the spec of the version. */
const pointer = { ...string, description: 'RFC 6901, in the spec of the version.' } as const;
const { version, state, author, authors, digest } = listedVersion.properties;

/** What a decision about a version rests on, its evaluation aside. */
export const versionDecision = {
  toolId: uuid,
  name: string,
  ...{ toolVersion: version, state, author, authors, digest },
  override: {
    type: ['object', 'null'],
    description:
      'Why it was approved without an evaluation that passed, or by its author; null where it was not.',
    required: ['reason', 'by', 'at'],
    properties: { reason: string, by: string, at: string },
  },
  missing: {
    type: 'array',
    description:
      'What keeps the caller from approving it without an override; once it is decided, what kept who decided.',
    items: string,
  },
  needs: {
    type: 'array',
    description:
      'The same by kind, each once; empty once it is decided. An override does without `somebody_else`, `evaluation` and `other_number`; `acceptsFindings` is what `acceptance` asks for, of somebody else than its authors: beside `somebody_else`, no override helps.',
    items: { ...string, enum: needs },
  },
  lint: {
    type: 'array',
    description:
      'What models would get wrong in a version that somebody has written, where it stops an approval.',
    items: objectOf({ pointer, detail: string }),
  },
  ...differences,
  impact: movesAnswer,
  reach: {
    type: ['object', 'null'],
    description:
      'How many skills, agents and gateways its approval reached, as who decided was told; null while nobody has.',
    required: ['skills', 'agents', 'gateways'],
    properties: { skills: count, agents: count, gateways: count },
  },
} as const satisfies Record<string, JSONSchema>;

const skillId = '0198c0de-0000-7000-8000-00000000d001';

export const versionDecisionExample = {
  ...{ toolId: '0198c0de-0000-7000-8000-00000000c001', name: 'getAccountByNo', toolVersion: '2.0.0' },
  ...{ state: 'in_review', author: 'ada', authors: ['ada'], digest: 'b0'.repeat(32) },
  override: null,
  missing: ['has not passed its evaluation'],
  needs: ['evaluation'],
  lint: [],
  ...differencesExample,
  impact: {
    skills: [{ skillId, skillName: 'Accounts', range: null, from: '1.0.0', to: '2.0.0' }],
    agents: [],
    gateways: [],
  },
  reach: null,
} as const;
