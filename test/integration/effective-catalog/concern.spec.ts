import { randomUUID } from 'node:crypto';
import { slices } from '../../../src/app.module.js';
import {
  affectedAtMost,
  affectedBy,
  MAX_EVENTS,
} from '../../../src/effective-catalog/latest-writes.service.js';
import { idsOf } from '../../../src/effective-catalog/rows.js';
import { Domain } from '../../../src/kernel/domain.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { anAgent, anAssignment, anEndpoint, aTool, rowsOf } from '../../catalog-rows.js';

const { types } = new Domain(slices);
const event = (type: string, aggregateid: string, data: object | null = {}): RecordedEvent =>
  ({ type: `${type}Event`, aggregateid, data }) as unknown as RecordedEvent;

describe('what events affect', () => {
  const [one, two] = [randomUUID(), randomUUID()];
  it('is the ids that they touch, each once', () => {
    const linked = event('SkillToolUpdated', one, { skillId: two, toolId: one, accessLevel: randomUUID() });
    const events = [linked, event('SkillUpdated', two)];
    expect(affectedBy(types, events)).toEqual([one, two]);
    expect(affectedAtMost(types, events)).toEqual([one, two]);
  });
  it('is nobody’s where no catalog is made of them, everybody’s where it can’t be told', () => {
    const settings = event('HostSettingsChanged', one);
    expect(affectedBy(types, [settings, event('WebhookWritten', two)])).toEqual([]);
    expect(affectedBy(types, [event('SkillCreated', one), event('GatewayUpdated', two)])).toBe('everybody');
    expect(affectedBy(types, [event('SomethingNew', one)])).toBe('everybody');
    expect(affectedBy(types, [event('SkillToolUpdated', one, null)])).toBe('everybody');
    const many = Array.from({ length: MAX_EVENTS }, () => event('SkillCreated', one));
    expect(affectedBy(types, many)).toBe('everybody');
    expect(affectedBy(types, many.slice(1))).toEqual([one]);
  });
  it('is, of a workflow, what the database says of it, without it everybody’s', () => {
    expect(affectedBy(types, [event('WorkflowDefinitionUpdated', one)])).toEqual([one]);
    const written = [event('SkillCreated', two), event('WorkflowDefinitionUpdated', one)];
    expect(affectedAtMost(types, written)).toBe('everybody');
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
  CodeOwner: 'nobody',
  GatewayDrift: 'nobody',
  HostSettings: 'nobody',
  PublicEntry: 'nobody',
  SkillFolder: 'nobody',
  Webhook: 'nobody',
};

/** Events about versions that no agent is given. */
const aside = ['Drafted', 'Submitted', 'Evaluated', 'Rejected'].map((what) => `ToolVersion${what}Event`);

describe('every type of event', () => {
  const declared = slices.flatMap(({ events }) => events);
  it.each(declared)(
    '$type declares whom it touches, and which catalogs it affects',
    ({ type, aggregateType, schema, touches }) => {
      expect(touches).toBeDefined();
      const by = aside.includes(type) ? 'nobody' : foundBy[aggregateType];
      const [own, named] = [randomUUID(), randomUUID()];
      const { required = [] } = schema as { readonly required?: readonly string[] };
      if (Array.isArray(touches)) expect(required).toEqual(expect.arrayContaining([...touches]));
      const data = Object.fromEntries(required.map((member) => [member, member === by ? named : null]));
      const affected = affectedAtMost(types, [event(type.replace(/Event$/, ''), own, data)]);
      if (by === 'everybody') expect(affected).toBe('everybody');
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
