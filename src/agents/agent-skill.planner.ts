import type { Command } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { requireScope } from '../platform/auth/claims.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { refuseUnsafe } from '../skills/skill-safety.js';
import type { SkillFacts } from '../skills/skill.lookup.js';
import {
  agentSkillId,
  AssignSkill,
  ChangeAssignment,
  PutAssignment,
  UnassignSkill,
  type AssignmentTerms,
} from './agent-skill.commands.js';
import { skillsSeen, standingsOf } from './agent-skill.lookup.js';
import type { AssignmentBody, AssignmentPatch } from './agent-skill.schemas.js';
import { requireAgent } from './agents.filter.js';
import { loosensTerms } from './assignment.policy.js';

/** Who asks, and which assignment it is about. */
export interface AssignmentRequest {
  readonly caller: Caller;
  readonly visibility: Visibility;
  readonly agentDefId: string;
  readonly skillId: string;
}

/** Throws RuleBroken `already_assigned` where the skill is assigned on other terms. */
export async function planAssignment(
  sql: Sql,
  request: AssignmentRequest,
  terms: AssignmentBody,
): Promise<Command[]> {
  const payload = await checked(sql, request, terms);
  return [new AssignSkill(...aggregateOf(request), payload)];
}

export async function planPut(
  sql: Sql,
  request: AssignmentRequest,
  terms: AssignmentBody,
): Promise<Command[]> {
  const payload = await checked(sql, request, terms);
  return [new PutAssignment(...aggregateOf(request), payload)];
}

export async function planChange(
  sql: Sql,
  request: AssignmentRequest,
  terms: AssignmentPatch,
): Promise<Command[]> {
  const payload = await checked(sql, request, terms);
  return [new ChangeAssignment(...aggregateOf(request), payload)];
}

export async function planUnassignment(sql: Sql, request: AssignmentRequest): Promise<Command[]> {
  await reachableSkill(sql, request);
  return [new UnassignSkill(...aggregateOf(request), pairOf(request))];
}

/** What may be said in terms, by this caller, of a skill in reach. Agents are shown the config. */
async function checked<Terms extends Partial<AssignmentTerms>>(
  sql: Sql,
  request: AssignmentRequest,
  terms: Terms,
) {
  await refuseUnsafe(terms);
  const skill = await reachableSkill(sql, request);
  await refuseLoosening(sql, request, terms);
  return { ...pairOf(request), terms, skill };
}

async function refuseLoosening(
  sql: Sql,
  { caller, visibility, agentDefId, skillId }: AssignmentRequest,
  terms: Partial<AssignmentTerms>,
): Promise<void> {
  const standings = await standingsOf(sql, visibility.hostId, agentDefId, [skillId]);
  if (loosensTerms(standings.get(skillId)?.terms, terms)) requireScope(caller, 'catalog:admin');
}

async function reachableSkill(sql: Sql, request: AssignmentRequest): Promise<SkillFacts> {
  const { visibility, agentDefId, skillId } = request;
  await requireAgent(sql, visibility, agentDefId);
  const skill = (await skillsSeen(sql, visibility, [skillId])).get(skillId);
  if (skill === undefined) throw new NotFound('skill', skillId);
  return skill;
}

function aggregateOf({ visibility, agentDefId, skillId }: AssignmentRequest): [string, string] {
  return [visibility.hostId, agentSkillId(agentDefId, skillId)];
}

function pairOf({ agentDefId, skillId }: AssignmentRequest): { agentDefId: string; skillId: string } {
  return { agentDefId, skillId };
}
