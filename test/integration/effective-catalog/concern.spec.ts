import { randomUUID } from 'node:crypto';
import { slices } from '../../../src/app.module.js';
import {
  concernOf,
  concernUnasked,
  idsOf,
  mostLookedAt,
} from '../../../src/effective-catalog/catalog.concern.js';
import type { RecordedEvent } from '../../../src/eventsourcing/event.js';
import { anAgent, anAssignment, anEndpoint, aTool, rowsOf } from '../../catalog-rows.js';

const event = (aggregatetype: string, aggregateid: string, data: object = {}): RecordedEvent =>
  ({ aggregatetype, aggregateid, data }) as unknown as RecordedEvent;

describe('the concern of events', () => {
  const [one, two] = [randomUUID(), randomUUID()];
  it('is the ids that they name, each once', () => {
    const events = [event('SkillTool', one, { skillId: two, notes: 'x' }), event('Skill', two)];
    expect(concernOf(events)).toEqual([one, two]);
    expect(concernUnasked(events)).toEqual([one, two]);
  });
  it('is nobody’s where no catalog is made of them, everybody’s where it can’t be told', () => {
    expect(concernOf([event('HostSettings', one), event('Webhook', two)])).toEqual([]);
    expect(concernOf([event('Skill', one), event('Gateway', two)])).toBe('all');
    expect(concernOf([event('SomethingNew', one)])).toBe('all');
    expect(concernOf(Array.from({ length: mostLookedAt }, () => event('Skill', one)))).toBe('all');
  });
  it('is, of a workflow, what the database says of it, without it everybody’s', () => {
    expect(concernOf([event('WorkflowDefinition', one)])).toEqual([one]);
    expect(concernUnasked([event('Skill', two), event('WorkflowDefinition', one)])).toBe('all');
  });
});

/** By what the events of an aggregate are found to concern a catalog: its own id, a member of their data, or not at all. */
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
    '$type says whom it concerns',
    ({ aggregateType, schema }) => {
      const by = foundBy[aggregateType];
      const [own, named] = [randomUUID(), randomUUID()];
      const { required = [] } = schema as { readonly required?: readonly string[] };
      const data = Object.fromEntries(required.map((member) => [member, member === by ? named : null]));
      const concern = concernUnasked([event(aggregateType, own, data)]);
      if (by === 'everybody') expect(concern).toBe('all');
      else if (by === 'nobody') expect(concern).toEqual([]);
      else expect(concern).toContain(by === 'itself' ? own : named);
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
