import type { JSONSchema } from 'json-schema-to-ts';
import { objectOf } from '../../platform/http/schemas.js';
import {
  versionEvaluationAnswer,
  versionEvaluationExample,
} from '../evaluation/version-evaluation.schemas.js';
import { versionDecision, versionDecisionExample } from './version-decision.schemas.js';

const { worse, better, confusions } = versionEvaluationAnswer.properties;

/** All that a reviewer needs to know of a version. */
export const versionReportAnswer = {
  title: 'VersionReport',
  ...objectOf({
    ...versionDecision,
    evaluation: {
      type: ['object', 'null'],
      description: 'The last one, with the measures before and now; null for none.',
    },
    prompts: {
      type: ['object', 'null'],
      description:
        'What the evaluation found prompt by prompt; null where there is none, or it was run by somebody with other rights.',
      required: ['worse', 'better', 'confusions'],
      properties: { worse, better, confusions },
    },
  }),
} as const satisfies JSONSchema;

const { evaluation, worse: lost, better: won, confusions: confused } = versionEvaluationExample.answer;

export const versionReportExample = {
  ...versionDecisionExample,
  evaluation,
  prompts: { worse: lost, better: won, confusions: confused },
} as const;
