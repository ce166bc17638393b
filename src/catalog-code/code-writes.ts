/** By which operations of the service a document becomes what the catalog holds. Pure but for what it calls. */
import { v7 } from 'uuid';
import { Invalid, RuleBroken } from '../kernel/errors.js';
import type { CodeKind, Spec } from './code-document.js';

/** What is to be written of one record: under its id where it is there, with what it holds now. */
export interface Wanted {
  readonly key: string;
  readonly present?: { readonly id: string; readonly spec: Spec };
  /** The fields to set; others stay, or take their defaults. */
  readonly set: Spec;
}

export interface Written {
  readonly id: string;
  /** Of an import of a skill: what its document refers to and the catalog does not have. */
  readonly unresolved?: readonly { readonly kind: string; readonly reference: string }[];
}

/** How writers reach the catalog, all within one transaction. */
export interface Reach {
  /** Carries out an operation of the service, as over HTTP. */
  readonly call: (
    operation: string,
    params: Readonly<Record<string, string>>,
    body?: object,
  ) => Promise<Written>;
  /** The id of a record that a document names. Throws Invalid where there is none. */
  readonly idOf: (kind: CodeKind | 'Tool', key: string) => Promise<string>;
  readonly hostId: string;
}

type Writer = (wanted: Wanted, reach: Reach) => Promise<string>;

/** Makes or changes the record that a document is about, and gives its id. */
export const writers: Readonly<Record<CodeKind, Writer>> = {
  async HostSettings({ set }, { call, hostId }) {
    if (holds(set)) await call('putHostSettings', {}, set);
    return hostId;
  },

  async Category({ key, present, set }, { call, idOf }) {
    if (present !== undefined) {
      if (holds(set)) await call('updateCategory', { categoryId: present.id }, set);
      return present.id;
    }
    const [entityType = '', ...names] = key.split('/');
    const above = names.slice(0, -1);
    const parentCategoryId =
      above.length === 0 ? null : await idOf('Category', [entityType, ...above].join('/'));
    const body = {
      entityType,
      categoryName: names.at(-1) ?? '',
      categoryDesc: null,
      parentCategoryId,
      ...set,
    };
    return (await call('createCategory', {}, body)).id;
  },

  async Tag({ key, present, set }, { call }) {
    if (present !== undefined) {
      if (holds(set)) await call('updateTag', { tagId: present.id }, set);
      return present.id;
    }
    const [entityType, tagName] = parted(key, '/');
    return (await call('createTag', {}, { entityType, tagName, tagDesc: null, ...set })).id;
  },

  async Api({ key, present, set: { active, ...set } }, reach) {
    if (present === undefined) await reach.call('createApi', {}, { apiId: key, ...set });
    else if (holds(set)) await reach.call('updateApi', { apiId: key }, set);
    await switched(reach, ['Api', { apiId: key }], present, active);
    return key;
  },

  async ApiVersion({ key, present, set: { active, ...set } }, reach) {
    const [apiId, apiVersion] = parted(key, '@');
    const { envTag, ...fields } = set;
    const body = { ...fields, ...(envTag !== null && envTag !== undefined && { envTag }) };
    const id =
      present === undefined
        ? (await reach.call('createApiVersion', { apiId }, upload({ apiVersion, ...body }))).id
        : present.id;
    if (present !== undefined && holds(set))
      await reach.call('updateApiVersion', { apiVersionId: id }, upload(set));
    await switched(reach, ['ApiVersion', { apiVersionId: id }], present, active);
    return id;
  },

  async Workflow({ key, present, set: { active, lifecycleStatus, ...set } }, reach) {
    const { call } = reach;
    const [namespace, named] = parted(key, '/');
    const [name, version] = parted(named, '@');
    const id = present?.id ?? (await call('createWorkflow', {}, { namespace, name, version, ...set })).id;
    if (present !== undefined && holds(set)) await call('updateWorkflow', { wfDefId: id }, set);
    for (const step of stepsTo(textOf(present?.spec['lifecycleStatus']) ?? 'DRAFT', textOf(lifecycleStatus)))
      await call(step, { wfDefId: id });
    await switched(reach, ['Workflow', { wfDefId: id }], present, active);
    return id;
  },

  async Gateway({ key, present, set: { active, tools, ...set } }, reach) {
    const { call, idOf } = reach;
    const id = present?.id ?? v7();
    const [serviceId, envTag] = parted(key, '@');
    if (present === undefined || holds(set)) {
      const { active: _active, tools: _tools, ...before } = present?.spec ?? {};
      await call('putGateway', { gatewayId: id }, { serviceId, envTag, ...before, ...set });
    }
    if (tools !== undefined) {
      const chosen = [];
      for (const { tool, ...terms } of tools as readonly (Spec & { readonly tool: string })[])
        chosen.push({ toolId: await idOf('Tool', tool), ...said(terms) });
      await call('putToolExposures', { gatewayId: id }, { tools: chosen });
    }
    await switched(reach, ['Gateway', { gatewayId: id }], present, active);
    return id;
  },

  async Skill({ key, present, set: { active, ...set } }, reach) {
    let id = present?.id;
    if (id === undefined || holds(set)) {
      const { active: _active, ...before } = present?.spec ?? {};
      const written = await reach.call(
        'importSkill',
        {},
        upload({ document: { name: key, ...before, ...set } }),
      );
      refuseUnresolved(key, written.unresolved ?? []);
      id = written.id;
    }
    await switched(reach, ['Skill', { skillId: id }], present, active);
    return id;
  },

  async Agent({ key, present, set: { active, skills, gateways, ...set } }, reach) {
    const { call, idOf } = reach;
    const id = present?.id ?? (await idOf('ApiVersion', key));
    if (present === undefined || holds(set) || gateways !== undefined) {
      const { active: _active, skills: _skills, gateways: former = [], ...before } = present?.spec ?? {};
      const gatewayIds = [];
      for (const gateway of (gateways ?? former) as readonly string[])
        gatewayIds.push(await idOf('Gateway', gateway));
      await call('putAgentDefinition', { agentDefId: id }, { ...before, ...set, gatewayIds });
    }
    if (skills !== undefined) {
      const assigned = [];
      for (const { skill, ...terms } of skills as readonly (Spec & { readonly skill: string })[])
        assigned.push({
          skillId: await idOf('Skill', skill),
          config: {},
          priority: 0,
          sequenceId: 0,
          ...terms,
        });
      await call('replaceAgentSkills', { agentDefId: id }, { skills: assigned });
    }
    await switched(reach, ['AgentDefinition', { agentDefId: id }], present, active);
    return id;
  },

  async Webhook({ key, present, set }, { call }) {
    const id = present?.id ?? v7();
    await call('putWebhook', { webhookId: id }, { url: key, ...present?.spec, ...set });
    return id;
  },
};

/** Deletes a record of a kind whose records are not switched off. */
export async function remove(kind: CodeKind, id: string, { call }: Reach): Promise<void> {
  if (kind === 'Category') await call('deleteCategory', { categoryId: id });
  else if (kind === 'Tag') await call('deleteTag', { tagId: id });
  else await call('deleteWebhook', { webhookId: id });
}

const holds = (set: Spec): boolean => Object.keys(set).length > 0;

/** Switches a record on or off. New ones are on. */
async function switched(
  { call }: Reach,
  [noun, params]: readonly [noun: string, params: Readonly<Record<string, string>>],
  present: Wanted['present'],
  active: unknown,
): Promise<void> {
  const before = present === undefined ? true : present.spec['active'];
  if (active === undefined || active === before) return;
  await call(active === true ? `activate${noun}` : `deactivate${noun}`, params);
}

const steps = ['DRAFT', 'PUBLISHED', 'DEPRECATED'];
const operationsOfSteps = ['publishWorkflow', 'deprecateWorkflow'];

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A workflow only moves forward. */
function stepsTo(before: string, after: string | undefined): readonly string[] {
  if (after === undefined) return [];
  const [from, to] = [steps.indexOf(before), steps.indexOf(after)];
  if (to >= from) return operationsOfSteps.slice(from, to);
  const detail = `The workflow is ${before} and can’t become ${after} again. Write another version of it.`;
  throw new RuleBroken('workflow_moves_forward', detail);
}

/** Members that say something: null is what is said where nothing is. */
function said(terms: Spec): Spec {
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null));
}

/** A body that the operation takes as bytes. */
function upload(body: object): object {
  return { body: Buffer.from(JSON.stringify(body)), mediaType: 'application/json', query: {} };
}

function refuseUnresolved(name: string, unresolved: NonNullable<Written['unresolved']>): void {
  if (unresolved.length === 0) return;
  const faults = unresolved.map(({ kind, reference }) => ({
    pointer: '',
    detail: `There is no ${kind} ${reference}.`,
  }));
  throw new Invalid('reference_not_found', `The skill ${name} refers to what is not in the catalog.`, faults);
}

/** The key in two, at the last separator. */
function parted(key: string, separator: string): readonly [string, string] {
  const at = key.lastIndexOf(separator);
  if (at > 0) return [key.slice(0, at), key.slice(at + 1)];
  throw new Invalid('invalid_key', `The key ${key} needs a "${separator}" between its parts.`);
}
