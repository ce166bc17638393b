import { impactRoute } from '../endpoints/public.js';
import { deactivationAnswer, impactExample } from '../endpoints/shared.js';
import { uuid } from '../platform/http/schemas.js';
import { patchOf } from '../platform/records/fields.js';
import { RecordReads } from '../platform/records/record-reads.js';
import { recordRoutes } from '../platform/records/record-routes.js';
import { selectionProperties, taxonomyFilter } from '../taxonomy/shared.js';
import { addTaxonomyFilter, taxonomyShown } from '../taxonomy/public.js';
import { listedSkillExample, newSkillExample, skillExample, skillReceipt } from './skill.examples.js';
import { newSkill, skillFields } from './skill.fields.js';
import {
  ActivateSkill,
  CreateSkill,
  DeactivateSkill,
  skill,
  skillTaxonomy,
  UpdateSkill,
} from './skill.record.js';
import { visibleSkills } from './skill.lookup.js';

export const skillReads = new RecordReads(skill.spec, {
  visible: visibleSkills,
  shows: taxonomyShown('skill', 'skill_t', 'skill_id'),
  orderBy: 'name',
  filters: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 126,
      description: 'Only the skills of exactly this name.',
    },
    parentSkillId: { ...uuid, description: 'Only the skills directly below this one.' },
  },
  narrow: {
    query: taxonomyFilter,
    add: (where, { hostId }, query) => {
      addTaxonomyFilter(where, hostId, { entityType: 'skill', id: 'skill_id' }, query);
    },
  },
  search: {
    in: ['name', 'description'],
    description: 'Words, or parts of them, of the name and the description.',
  },
});

const patch = patchOf(skillFields);

export const skillRoutes = [
  ...recordRoutes(skillReads, {
    path: 'skills',
    list: {
      description: 'Without their content, ordered by name.',
      example: { q: 'account' },
    },
    create: {
      useCase: CreateSkill,
      summary: 'Write a skill',
      description:
        'Refused with `skill_name_taken` where another active skill has the name, and with `skill_contains_secret` ' +
        'where its texts hold what looks like a secret. `categoryIds` and `tagIds` are selected in the same ' +
        'transaction; what is not there is `category_not_found`, `tag_not_found`.',
      body: newSkill,
    },
    update: {
      useCase: UpdateSkill,
      summary: 'Change a skill',
      description:
        'What is left out stays; `parentSkillId: null` takes the parent away. Refused with `skill_name_taken`, ' +
        '`parent_skill_not_found`, `skill_cycle`, `skill_contains_secret`, `category_not_found` and `tag_not_found`.',
      body: { ...patch, properties: { ...patch.properties, ...selectionProperties } },
      example: { body: { version: '1.1.0' } },
    },
    activate: {
      useCase: ActivateSkill,
      summary: 'Activate a skill',
      description: 'Refused with `skill_name_taken` where another active skill has taken its name.',
    },
    deactivate: {
      useCase: DeactivateSkill,
      summary: 'Deactivate a skill',
      description:
        'Its links and assignments stay; no agent is given it until it is activated again. The answer says whom it hits.',
      answer: deactivationAnswer,
      example: { answer: { impact: impactExample } },
    },
    example: {
      body: newSkillExample,
      answer: skillExample,
      listed: listedSkillExample,
      receipt: skillReceipt,
    },
  }),
  impactRoute(
    'skills/:skillId',
    { kind: 'skill', requireSeen: (...asked) => skillReads.get(...asked) },
    { id: 'getSkillImpact', noun: 'a skill' },
  ),
  ...skillTaxonomy.routes,
];
