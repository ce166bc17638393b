import { Body, Controller, Inject, Injectable, Post } from '@nestjs/common';
import type { FromSchema } from 'json-schema-to-ts';
import { RuleBroken } from '../kernel/errors.js';
import { Pace } from '../kernel/pace.js';
import { DATABASE, type Database } from '../kernel/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf } from '../platform/http/parameters.js';
import { readingForReads } from '../registry/public.js';
import { compareVersions, type ToolSpec } from '../registry/shared.js';
import { evaluationOf } from '../search/public.js';
import { specOf } from '../tool-clients/public.js';
import { type PublishedTool, publishedTools } from '../tools/public.js';
import {
  consolidationAnswer,
  type ConsolidationBody,
  consolidationBody,
  consolidationExample,
} from './tool-consolidation.schemas.js';

/** Versions of tools that are read for a proposal; their specs are in memory together. */
const MAX_READ = 2_000;

/** Proposes one tool in place of several of the host that read the same, or are taken for each other. */
@Injectable()
export class ToolConsolidation {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Throws RuleBroken `too_many_tools`, NotFound for an evaluation that the caller may not read. */
  async of(
    caller: Caller,
    { tools, name, apiVersionId, evaluationId }: ConsolidationBody,
  ): Promise<FromSchema<typeof consolidationAnswer>> {
    const sql = this.database.of(caller.hostId);
    const published = await publishedTools(sql, visibilityOf(caller), {
      ...(apiVersionId !== undefined && { apiVersionId }),
      ...(tools !== undefined && { names: tools }),
      limit: MAX_READ + 1,
    });
    if (published.length > MAX_READ) throw tooMany();
    const confusions =
      evaluationId === undefined ? [] : (await evaluationOf(sql, caller, evaluationId)).confusions;
    const { specs, omitted: others } = await newestSpecs(published, caller.hostId);
    const { proposals, omitted } = await readingForReads(caller.hostId).do('consolidate', specs, {
      confusions,
      ...(tools !== undefined && { tools }),
      ...(name !== undefined && { name }),
    });
    return {
      proposals: proposals.map(({ tools: replaced, reasons, text, notes, findings }) => ({
        ...{ tools: [...replaced], reasons: [...reasons], specText: text, notes: [...notes] },
        findings: findings.map(({ rule, pointer, reason, example }) => ({ rule, pointer, reason, example })),
      })),
      omitted: [...others, ...omitted].map((each) => ({ ...each })),
    };
  }
}

/** The newest version of each name; of tools of one name in several environments the first. */
async function newestSpecs(published: readonly PublishedTool[], hostId: string) {
  const newest = new Map<string, ToolSpec>();
  const omitted: { tool: string; reason: string }[] = [];
  const pace = new Pace();
  for (const tool of published) {
    await pace.step();
    const spec = await specOf(tool, hostId);
    const known = newest.get(spec.name);
    const order = known === undefined ? 1 : compareVersions(spec.version, known.version);
    if (order > 0) newest.set(spec.name, spec);
    if (order === 0)
      omitted.push({
        tool: spec.name,
        reason: 'Another tool of this name and version was read in its place.',
      });
  }
  return { specs: [...newest.values()], omitted };
}

function tooMany(): RuleBroken {
  const detail = `There are more than ${String(MAX_READ)} versions of tools to compare. Name the tools (tools), or an apiVersionId.`;
  return new RuleBroken('too_many_tools', detail);
}

@Controller('v1/hosts/:hostId/tools/consolidate')
export class ToolConsolidationController {
  constructor(private readonly consolidation: ToolConsolidation) {}

  @Post()
  @Operation({
    id: 'consolidateTools',
    summary: 'Propose one tool in place of several',
    description:
      'Of tools that only read, and read the same resource, are taken for each other, or are named. The answer has the draft of a spec ' +
      'to edit; nothing is written before it is pushed (POST …/tools/specs). What can’t be part of a proposal is said, with why.',
    scope: 'catalog:read',
    confined: 'refused',
    reads: true,
    body: consolidationBody,
    answer: consolidationAnswer,
    example: consolidationExample,
  })
  consolidate(
    @CallerOf() caller: Caller,
    @Body() body: ConsolidationBody,
  ): Promise<FromSchema<typeof consolidationAnswer>> {
    return this.consolidation.of(caller, body);
  }
}
