import { isDeepStrictEqual } from 'node:util';
import { v7 } from 'uuid';
import { isSetting } from '../../documents/archive-file.js';
import { type DocumentWarning, WarningLog } from '../../documents/findings.js';
import { below } from '../../documents/json.js';
import type { Command } from '../../kernel/command.js';
import { RuleBroken } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Uploaded } from '../../platform/records/routes.js';
import { handle, receiptOf, UseCase, type Receipt, type Writer } from '../../platform/use-cases/use-case.js';
import { type NamedTerm, planNamedSelection, selectionOf } from '../../taxonomy/public.js';
import { toolsSeen } from '../../tools/public.js';
import { planDependencies } from '../links/skill-dependency.link.js';
import {
  documentedDependencies,
  documentedLinks,
  documentedParent,
  skillsNamed,
} from './skill-document.lookup.js';
import type { ImportOptions, Unresolved } from './skill-document.schemas.js';
import { exportedSkill, headOf } from './skill-export.lookup.js';
import { ReplaceSkillFolder, type StoredFolder } from './skill-folder.record.js';
import { planImportedWorkflows } from './skill-import-workflows.planner.js';
import { type IncomingSkill, lookedUpNames, namesOf, resolveTools } from './skill-import.js';
import { readSkill, type OfferedSkill } from './skill-reading.service.js';
import { planLinks, planUnlinks } from '../links/skill-tool.link.js';
import { skill, skillFactsFor } from '../skill.record.js';

/** The answer to an import, beside its receipt. */
export interface ImportedSkill {
  readonly name: string;
  /** The tools that the document refers to. */
  readonly tools: readonly object[];
  readonly unresolved: readonly Unresolved[];
  readonly taxonomyCreated: readonly NamedTerm[];
  readonly warnings: readonly DocumentWarning[];
}

/** Imports a document, or the folder of a skill: changes the skill of the same name, or creates one. */
export class ImportSkill extends UseCase<
  Uploaded<ImportOptions>,
  Receipt & ImportedSkill & { readonly isDryRun: boolean }
> {}

export const importSkillHandler = handle(ImportSkill, {
  prepare: ({ body, mediaType, query }, writer) => readSkill({ body, mediaType }, query, writer),
  isDryRun: (_input, { dryRun }) => dryRun,
  async load(sql, _input, writer, offered) {
    const taken = new SkillImport(writer, offered);
    return { commands: await taken.plan(sql), report: taken.report, isDryRun: offered.dryRun };
  },
  decide: ({ commands }) => commands,
  result: (outcomes, position, { report, isDryRun }) => ({
    ...receiptOf(outcomes, position),
    ...report,
    isDryRun,
  }),
});

/** Tells of files that programs may run by themselves where the folder is put. */
function warningsOf(files: StoredFolder['files']): readonly DocumentWarning[] {
  const warnings = new WarningLog();
  for (const { path } of files.filter((file) => isSetting(file.path)))
    warnings.warn('hidden_file', below('', path), `${path} ${hiddenFile}`);
  return warnings.all();
}

const hiddenFile =
  'is hidden, as settings are that name programs to run. It is kept and exported, and agents are not given it. Leave it out if it is not needed.';

/** Plans one import under the lock of the host's head, and reports references that lead nowhere. */
class SkillImport {
  private readonly unresolved: Unresolved[] = [];
  private taxonomyCreated: readonly NamedTerm[] = [];
  private tools: readonly object[] = [];
  private isNew = false;
  private readonly incoming: IncomingSkill;

  constructor(
    private readonly writer: Pick<Writer, 'caller' | 'visibility'>,
    private readonly offered: OfferedSkill,
  ) {
    this.incoming = offered.skill;
  }

  async plan(sql: Sql): Promise<Command[]> {
    const known = await this.knownId(sql);
    this.isNew = known === undefined;
    const skillId = known ?? v7();
    return [
      await this.planFields(sql, skillId),
      ...(await this.planTaxonomy(sql, skillId)),
      ...(await this.planLinks(sql, skillId)),
      ...(await this.planDependencies(sql, skillId)),
      ...(await this.planFolder(sql, skillId)),
    ];
  }

  get report(): ImportedSkill {
    const { unresolved, taxonomyCreated, tools } = this;
    const { name, folder, warnings = [] } = this.incoming;
    const all = [...warnings, ...warningsOf(folder?.files ?? [])];
    return { name, tools, unresolved, taxonomyCreated, warnings: all };
  }

  /** @throws RuleBroken `skill_name_ambiguous` where the name is that of several skills, all inactive */
  private async knownId(sql: Sql): Promise<string | undefined> {
    const { name } = this.incoming;
    const ids = (await skillsNamed(sql, this.writer.visibility, [name])).get(name) ?? [];
    if (ids.length < 2) return ids[0];
    const detail = `The skills ${ids.join(', ')} are named "${name}", and none is active. Activate the one that is meant, or rename the others.`;
    throw new RuleBroken('skill_name_ambiguous', detail, [{ pointer: '/name', detail }]);
  }

  private async planFields(sql: Sql, skillId: string): Promise<Command> {
    const { name, description, version, contentMarkdown, parentSkill } = this.incoming;
    const { hostId } = this.writer.visibility;
    const parent = await this.parentId(sql, skillId, parentSkill);
    const said = {
      ...{ name, contentMarkdown },
      ...(description !== undefined && { description }),
      ...(version !== undefined && { version }),
      ...(parent !== undefined && { parentSkillId: parent }),
    };
    const facts = await skillFactsFor(sql, hostId, skillId, said);
    if (!this.isNew) return skill.change(hostId, skillId, said, facts);
    return skill.create(hostId, skillId, said, facts);
  }

  /** Finds the parent; undefined keeps the current one, also an inactive one whose name another skill has taken. */
  private async parentId(
    sql: Sql,
    skillId: string,
    parentSkill: string | null | undefined,
  ): Promise<string | null | undefined> {
    if (parentSkill === undefined || parentSkill === null) return parentSkill;
    const { visibility } = this.writer;
    if ((await documentedParent(sql, visibility.hostId, skillId)) === parentSkill) return undefined;
    return this.theSkill(parentSkill, await skillsNamed(sql, visibility, [parentSkill]));
  }

  private async planTaxonomy(sql: Sql, skillId: string): Promise<readonly Command[]> {
    const { categories, tags, complete } = this.incoming;
    const { visibility } = this.writer;
    const entity = { entityType: 'skill', entityId: skillId } as const;
    if (!complete && (await selectionOf(sql, visibility.hostId, entity)).aggregateVersion > 0) return [];
    const how = { visibility, entity, create: this.offered.createTaxonomy };
    const { commands, made, unknown } = await planNamedSelection(sql, how, { categories, tags });
    this.taxonomyCreated = made;
    for (const { kind, name } of unknown) this.reportMissing(kind, name);
    return commands;
  }

  /** Plans links to tools and to the workflows that call them, removals first. */
  private async planLinks(sql: Sql, skillId: string): Promise<Command[]> {
    const { hostId } = this.writer.visibility;
    const { wanted, gone, toolIds } = await this.toolsOf(sql, skillId);
    const skill = { hostId, skillId, toolIds };
    const linker = { caller: this.writer.caller, skillId, toolIds };
    const workflows = await planImportedWorkflows(sql, linker, this.incoming.workflows);
    this.unresolved.push(...workflows.unresolved);
    return [
      ...workflows.unlinks,
      ...(await planUnlinks(sql, skill, gone, {
        leaving: workflows.leaving,
        arriving: wanted.map(({ toolId }) => toolId),
      })),
      ...(await planLinks(sql, this.writer, skillId, wanted)),
      ...workflows.links,
    ];
  }

  /** Finds the links to write, the tools to take away, and the tools that the skill has afterwards. */
  private async toolsOf(sql: Sql, skillId: string) {
    const { tools = [], complete } = this.incoming;
    const { visibility } = this.writer;
    const links = await documentedLinks(sql, visibility, skillId);
    const linked = new Set(links.map(({ toolId }) => toolId));
    const names = lookedUpNames(tools);
    const endpoints = tools.flatMap(({ endpoint }) => endpoint?.key ?? []);
    const known = await toolsSeen(sql, visibility, { known: { names, endpoints } });
    const { found, unresolved, meant } = resolveTools(tools, known, linked);
    this.unresolved.push(...unresolved);
    const named = new Map(known.map((tool) => [tool.toolId, tool]));
    this.tools = found.flatMap(({ toolId }) => {
      const tool = named.get(toolId);
      return tool === undefined ? [] : [{ ...namesOf(tool), linked: !linked.has(toolId) }];
    });
    const wanted = found
      .filter(({ toolId }) => complete || !linked.has(toolId))
      .map(({ toolId, tool: { config, accessLevel, range } }) => ({
        ...{ toolId, config },
        ...(accessLevel && { accessLevel }),
        ...(range && { range }),
      }));
    const isWhole = complete && this.incoming.tools !== undefined;
    const gone = isWhole ? [...linked].filter((toolId) => !meant.has(toolId)) : [];
    const kept = [...linked].filter((toolId) => !gone.includes(toolId));
    return { wanted, gone, toolIds: [...kept, ...wanted.map(({ toolId }) => toolId)] };
  }

  /** Plans dependencies; a name means a skill that this one depends on already before any other. */
  private async planDependencies(sql: Sql, skillId: string): Promise<Command[]> {
    const { dependsOn } = this.incoming;
    if (dependsOn === undefined) return [];
    const { visibility } = this.writer;
    const present = await documentedDependencies(sql, visibility.hostId, skillId);
    const named = await skillsNamed(
      sql,
      visibility,
      dependsOn.map((each) => each.skill),
    );
    const wanted = new Map<string, boolean>();
    for (const { skill: name, required } of dependsOn) {
      const own = present.find((held) => held.skill === name && !wanted.has(held.skillId));
      const id = own?.skillId ?? this.theSkill(name, named);
      if (id !== undefined) wanted.set(id, required);
    }
    return planDependencies(sql, { visibility, skillId }, wanted);
  }

  /** Keeps the folder, unless it is what an export would write anyway. */
  private async planFolder(sql: Sql, skillId: string): Promise<Command[]> {
    const { folder, isPlain } = this.incoming;
    if (folder === undefined) return [];
    const { visibility } = this.writer;
    const now = this.isNew ? undefined : await exportedSkill(sql, visibility, skillId);
    const known = now?.folder ?? null;
    if (isPlain && known === null) return [];
    const written = now && known && { head: headOf(now), files: known.files };
    if (isDeepStrictEqual(written, folder)) return [];
    return [new ReplaceSkillFolder(visibility.hostId, skillId, folder)];
  }

  /** Finds the one skill that a name means, and reports a name that means none or several. */
  private theSkill(name: string, named: ReadonlyMap<string, readonly string[]>): string | undefined {
    const [id, ...others] = named.get(name) ?? [];
    if (id !== undefined && others.length === 0) return id;
    this.reportMissing('skill', name, id === undefined ? 'not_found' : 'ambiguous');
    return undefined;
  }

  private reportMissing(
    kind: Unresolved['kind'],
    reference: string,
    reason: Unresolved['reason'] = 'not_found',
  ): void {
    this.unresolved.push({ kind, reference, reason });
  }
}
