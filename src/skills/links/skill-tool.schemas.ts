/** What writes of a link take and answer, beside its fields. Pure. */
import { receiptAnswer } from '../../platform/http/schemas.js';
import { bodyOf, field } from '../../platform/records/fields.js';
import { dryRun, movesAnswer } from '../../tools/shared.js';
import { skillToolFields } from './skill-tool.rules.js';

export const skillToolBody = bodyOf({ ...skillToolFields, dryRun: field({ sql: 'boolean', shown: dryRun }) });

export const skillToolReceipt = {
  ...receiptAnswer,
  title: 'SkillToolReceipt',
  properties: {
    ...receiptAnswer.properties,
    moves: { ...movesAnswer, description: 'Of a dry run: whom the range gives another version, or none.' },
  },
} as const;
