import { v7 } from 'uuid';
import type { Command, Outcome, Reply } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Writer } from '../platform/http/parameters.js';
import { receipt } from '../platform/http/replies.js';
import { selectionOf } from '../taxonomy/taxonomy.lookup.js';
import { planNamedSelection, type NamedTerm } from '../taxonomy/taxonomy.planner.js';
import { toolsSeen } from '../tools/tool.lookup.js';
import { planDependencies } from './skill-dependency.planner.js';
import { documentedLinks, hasFolder, skillIdsByName, skillNamed } from './skill-document.lookup.js';
import type { Unresolved } from './skill-document.schemas.js';
import { ReplaceSkillFolder } from './skill-folder.commands.js';
import { planImportedWorkflows } from './skill-import-workflows.planner.js';
import { isResolved, resolveTool, type IncomingSkill } from './skill-import.js';
import type { OfferedSkill } from './skill-reading.service.js';
import { planLinks, planUnlinks, type WantedLink } from './skill-tool.planner.js';
import { CreateSkill, UpdateSkill } from './skill.commands.js';
import { surroundingsOf } from './skill.lookup.js';

/** One import of a skill: what it refers to is looked up under the lock, what is not there is reported. */
export class SkillImport {
  private unresolved: Unresolved[] = [];
  private taxonomyCreated: readonly NamedTerm[] = [];
  private isNew = false;
  private readonly incoming: IncomingSkill;

  constructor(
    private readonly writer: Pick<Writer, 'caller' | 'visibility'>,
    private readonly offered: OfferedSkill,
  ) {
    this.incoming = offered.skill;
  }

  async plan(sql: Sql): Promise<Command[]> {
    this.unresolved = [];
    const known = await skillNamed(sql, this.writer.visibility, this.incoming.name);
    this.isNew = known === undefined;
    const skillId = known?.skillId ?? v7();
    return [
      await this.planWords(sql, skillId),
      ...(await this.planTaxonomy(sql, skillId)),
      ...(await this.planLinks(sql, skillId)),
      ...(await this.planDependencies(sql, skillId)),
      ...(await this.planFolder(sql, skillId)),
    ];
  }

  reply(outcomes: readonly Outcome[], position: number): Reply {
    const { unresolved, taxonomyCreated } = this;
    const more = () => ({ created: this.isNew, name: this.incoming.name, unresolved, taxonomyCreated });
    if (!this.isNew || this.offered.dryRun) return receipt(200, more)(outcomes, position);
    const location = ({ id }: Outcome) => `/v1/hosts/${this.writer.visibility.hostId}/skills/${id}`;
    return receipt(201, more, location)(outcomes, position);
  }

  private async planWords(sql: Sql, skillId: string): Promise<Command> {
    const { name, description, version, contentMarkdown, parentSkill } = this.incoming;
    const { hostId } = this.writer.visibility;
    const parent = await this.parentId(sql, parentSkill);
    const said = {
      ...{ name, contentMarkdown },
      ...(description !== undefined && { description }),
      ...(version !== undefined && { version }),
      ...(parent !== undefined && { parentSkillId: parent }),
    };
    const surroundings = await surroundingsOf(sql, hostId, { skillId, name, parentSkillId: parent ?? null });
    if (!this.isNew) return new UpdateSkill(hostId, skillId, { words: said, surroundings });
    const words = { description: '', version: '1.0.0', parentSkillId: null, ...said };
    return new CreateSkill(hostId, skillId, { words, surroundings });
  }

  /** Undefined where the parent stays as it is. */
  private async parentId(
    sql: Sql,
    parentSkill: string | null | undefined,
  ): Promise<string | null | undefined> {
    if (parentSkill === undefined || parentSkill === null) return parentSkill;
    const id = (await skillIdsByName(sql, this.writer.visibility, [parentSkill])).get(parentSkill);
    if (id === undefined) this.report('skill', [parentSkill]);
    return id;
  }

  private async planTaxonomy(sql: Sql, skillId: string): Promise<readonly Command[]> {
    const { categories, tags, complete } = this.incoming;
    const { visibility } = this.writer;
    const entity = { entityType: 'skill', entityId: skillId } as const;
    if (!complete && (await selectionOf(sql, visibility.hostId, entity)).aggregateVersion > 0) return [];
    const how = { visibility, entity, create: this.offered.createTaxonomy };
    const { commands, made, unknown } = await planNamedSelection(sql, how, { categories, tags });
    this.taxonomyCreated = made;
    for (const { kind, name } of unknown) this.report(kind, [name]);
    return commands;
  }

  /** Tools and the workflows that call them: what leaves goes before what comes. */
  private async planLinks(sql: Sql, skillId: string): Promise<Command[]> {
    const { hostId } = this.writer.visibility;
    const { wanted, gone, toolIds } = await this.toolsOf(sql, skillId);
    const skill = { hostId, skillId, toolIds };
    const workflows = await planImportedWorkflows(sql, skill, this.incoming.workflows);
    this.unresolved.push(...workflows.unresolved);
    return [
      ...workflows.unlinks,
      ...(await planUnlinks(sql, skill, gone, workflows.leaving)),
      ...(await planLinks(sql, { ...this.writer, skillId }, wanted)),
      ...workflows.links,
    ];
  }

  /** Links to write, ids of tools to take away, and of those that the skill has afterwards. */
  private async toolsOf(sql: Sql, skillId: string) {
    const { tools = [], complete } = this.incoming;
    const { visibility } = this.writer;
    const links = await documentedLinks(sql, visibility, skillId);
    const linked = new Set(links.map(({ toolId }) => toolId));
    const names = tools.flatMap((tool) => tool.names);
    const endpoints = tools.flatMap(({ endpoint }) => endpoint?.key ?? []);
    const known = await toolsSeen(sql, visibility, { known: { names, endpoints } });
    const wanted = new Map<string, WantedLink>();
    for (const tool of tools) {
      const found = resolveTool(tool, known, linked);
      if (!isResolved(found)) this.unresolved.push(found);
      else if (complete || !linked.has(found.toolId)) {
        const { config, accessLevel } = tool;
        wanted.set(found.toolId, { toolId: found.toolId, config, ...(accessLevel && { accessLevel }) });
      }
    }
    const isWhole = complete && this.incoming.tools !== undefined;
    const gone = isWhole ? [...linked].filter((toolId) => !wanted.has(toolId)) : [];
    const kept = [...linked].filter((toolId) => !gone.includes(toolId));
    return { wanted: [...wanted.values()], gone, toolIds: [...kept, ...wanted.keys()] };
  }

  private async planDependencies(sql: Sql, skillId: string): Promise<Command[]> {
    const { dependsOn } = this.incoming;
    if (dependsOn === undefined) return [];
    const names = dependsOn.map(({ skill }) => skill);
    const ids = await skillIdsByName(sql, this.writer.visibility, names);
    this.report(
      'skill',
      names.filter((name) => !ids.has(name)),
    );
    const wanted = new Map(
      dependsOn.flatMap(({ skill, required }) => {
        const id = ids.get(skill);
        return id === undefined ? [] : [[id, required] as const];
      }),
    );
    return planDependencies(sql, { visibility: this.writer.visibility, skillId }, wanted);
  }

  private async planFolder(sql: Sql, skillId: string): Promise<Command[]> {
    const { folder, isPlain } = this.incoming;
    const { hostId } = this.writer.visibility;
    if (folder === undefined || (isPlain && !(await hasFolder(sql, hostId, skillId)))) return [];
    return [new ReplaceSkillFolder(hostId, skillId, folder)];
  }

  private report(kind: Unresolved['kind'], references: readonly string[]): void {
    this.unresolved.push(
      ...references.map((reference) => ({ kind, reference, reason: 'not_found' as const })),
    );
  }
}
