import type { Command } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { DeleteDependency, PutDependency, skillDependencyId } from './skill-dependency.commands.js';
import { dependencyFactsOf, type DependencyFacts } from './skill-dependency.lookup.js';
import { documentedDependencies } from './skill-document.lookup.js';
import { refuseUnseen } from './skills.filter.js';

/** Who asks for a dependency, and which one. */
export interface DependencyRequest {
  readonly visibility: Visibility;
  readonly skillId: string;
  readonly dependsOnSkillId: string;
}

export async function planDependency(
  sql: Sql,
  request: DependencyRequest,
  required: boolean,
): Promise<Command[]> {
  const { circular } = await reachableFacts(sql, request);
  const { visibility, skillId, dependsOnSkillId } = request;
  const id = skillDependencyId(skillId, dependsOnSkillId);
  return [new PutDependency(visibility.hostId, id, { skillId, dependsOnSkillId, required, circular })];
}

export async function planIndependence(sql: Sql, request: DependencyRequest): Promise<Command[]> {
  await reachableFacts(sql, request);
  const { visibility, skillId, dependsOnSkillId } = request;
  const id = skillDependencyId(skillId, dependsOnSkillId);
  return [new DeleteDependency(visibility.hostId, id, { skillId, dependsOnSkillId })];
}

async function reachableFacts(sql: Sql, request: DependencyRequest): Promise<DependencyFacts> {
  const { visibility, skillId, dependsOnSkillId } = request;
  refuseUnseen(visibility, skillId);
  refuseUnseen(visibility, dependsOnSkillId);
  const facts = await dependencyFactsOf(sql, visibility.hostId, skillId, dependsOnSkillId);
  if (!facts.skillKnown) throw new NotFound('skill', skillId);
  if (!facts.targetKnown) throw new NotFound('skill', dependsOnSkillId);
  return facts;
}

/** All that the skill is to depend on, by id of the other skill: what it depends on beside that is taken away. */
export async function planDependencies(
  sql: Sql,
  { visibility: { hostId }, skillId }: Pick<DependencyRequest, 'visibility' | 'skillId'>,
  wanted: ReadonlyMap<string, boolean>,
): Promise<Command[]> {
  const present = await documentedDependencies(sql, hostId, skillId);
  const commands: Command[] = present
    .map((dependency) => dependency.skillId)
    .filter((dependsOnSkillId) => !wanted.has(dependsOnSkillId))
    .map((dependsOnSkillId) => {
      const id = skillDependencyId(skillId, dependsOnSkillId);
      return new DeleteDependency(hostId, id, { skillId, dependsOnSkillId });
    });
  for (const [dependsOnSkillId, required] of wanted) {
    const { circular } = await dependencyFactsOf(sql, hostId, skillId, dependsOnSkillId);
    const id = skillDependencyId(skillId, dependsOnSkillId);
    commands.push(new PutDependency(hostId, id, { skillId, dependsOnSkillId, required, circular }));
  }
  return commands;
}
