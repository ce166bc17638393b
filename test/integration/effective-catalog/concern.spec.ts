import { randomUUID } from 'node:crypto';
import { slices } from '../../../src/app.module.js';
import {
  affectedAtMost,
  affectedBy,
  MAX_EVENTS,
} from '../../../src/effective-catalog/latest-writes.service.js';
import { idsOf } from '../../../src/effective-catalog/rows.js';
import type { RecordedEvent } from '../../../src/eventsourcing/event.js';
import { anAgent, anAssignment, anEndpoint, aTool, rowsOf } from '../../catalog-rows.js';

const event = (aggregatetype: string, aggregateid: string, data: object = {}): RecordedEvent =>
  ({ aggregatetype, aggregateid, data }) as unknown as RecordedEvent;

describe('what events affect', () => {
  const [one, two] = [randomUUID(), randomUUID()];
  it('is the ids that they name, each once', () => {
    const events = [event('SkillTool', one, { skillId: two, notes: 'x' }), event('Skill', two)];
    expect(affectedBy(events)).toEqual([one, two]);
    expect(affectedAtMost(events)).toEqual([one, two]);
  });
  it('is nobody’s where no catalog is made of them, everybody’s where it can’t be told', () => {
    expect(affectedBy([event('HostSettings', one), event('Webhook', two)])).toEqual([]);
    expect(affectedBy([event('Skill', one), event('Gateway', two)])).toBe('all');
    expect(affectedBy([event('SomethingNew', one)])).toBe('all');
    expect(affectedBy(Array.from({ length: MAX_EVENTS }, () => event('Skill', one)))).toBe('all');
  });
  it('is, of a workflow, what the database says of it, without it everybody’s', () => {
    expect(affectedBy([event('WorkflowDefinition', one)])).toEqual([one]);
    expect(affectedAtMost([event('Skill', two), event('WorkflowDefinition', one)])).toBe('all');
  });
});

/** By what the events of an aggregate are found to affect a catalog: its own id, a member of their data, or not at all. */
const foundBy: Readonly<Record<string, string>> = {
  AgentDefinition: 'itself',
  Skill: 'itself',
  Tool: 'itself',
  ApiEndpoint: 'itself',
  ApiVersion: 'itself',
  ApiVersionSpec: 'apiVersionId',
  AgentSkill: 'agentDefId',
  SkillTool: 'skillId',
  SkillDependency: 'skillId',
  SkillWorkflow: 'skillId',
  EntityTaxonomy: 'entityId',
  ToolExposure: 'toolId',
  WorkflowDefinition: 'everybody',
  Gateway: 'everybody',
  Api: 'everybody',
  Category: 'everybody',
  Tag: 'everybody',
  GatewayDrift: 'nobody',
  HostSettings: 'nobody',
  SkillFolder: 'nobody',
  Webhook: 'nobody',
};

describe('every type of event', () => {
  const types = slices.flatMap(({ events }) => events);
  it.each(types.map(({ type, aggregateType, schema }) => ({ type, aggregateType, schema })))(
    '$type says which catalogs it affects',
    ({ aggregateType, schema }) => {
      const by = foundBy[aggregateType];
      const [own, named] = [randomUUID(), randomUUID()];
      const { required = [] } = schema as { readonly required?: readonly string[] };
      const data = Object.fromEntries(required.map((member) => [member, member === by ? named : null]));
      const affected = affectedAtMost([event(aggregateType, own, data)]);
      if (by === 'everybody') expect(affected).toBe('all');
      else if (by === 'nobody') expect(affected).toEqual([]);
      else expect(affected).toContain(by === 'itself' ? own : named);
    },
  );
});

test('a catalog is found by the ids of agent, skills, tools, endpoints and API versions, there or not', () => {
  const rows = rowsOf();
  const ids = [
    anAgent.agent_def_id,
    anAssignment.skill_id,
    aTool.tool_id,
    anEndpoint.endpoint_id,
    anEndpoint.api_version_id,
  ];
  expect([...idsOf(rows)].sort()).toEqual(ids.sort());
  const gone = idsOf({ ...rows, skills: [], endpoints: [] });
  expect([...gone].sort()).toEqual(ids.slice().filter((id) => id !== anEndpoint.api_version_id));
});
