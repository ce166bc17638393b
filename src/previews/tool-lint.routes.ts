import { Body, Controller, Get, Injectable, Post } from '@nestjs/common';
import type { Caller } from '../platform/auth/caller.js';
import { Operation, type OperationSpec } from '../platform/http/operation.js';
import { CallerOf } from '../platform/http/parameters.js';
import { readingForReads } from '../registry/public.js';
import {
  neighborsAmong,
  OVERLAPPING,
  overlapsOf,
  publishedSchemas,
  specDigest,
  stopsReview,
  type ToolSpec,
} from '../registry/shared.js';
import { CatalogSearch } from '../search/public.js';
import { lintAnswer, type LintAnswer, lintBody, type LintBody, lintExample } from './tool-lint.schemas.js';

/** Tools that are compared with the one that is linted. */
const MAX_FOUND = 50;
/** Characters of a description by which others are looked for. */
const MAX_PROMPT = 4_000;

/** Lints a tool beside those that the caller may read of the host. */
@Injectable()
export class ToolLint {
  constructor(private readonly search: CatalogSearch) {}

  async of(caller: Caller, { spec }: LintBody): Promise<LintAnswer> {
    const text = typeof spec === 'string' ? spec : JSON.stringify(spec);
    const asked = { lint: true, pointers: [OVERLAPPING] };
    const { value, places, ...found } = await readingForReads(caller.hostId).do('spec', text, asked);
    if (value === undefined || found.late.length > 0) {
      const faults = [...found.faults, ...found.late].map(({ rule, line, pointer, detail }) => ({
        rule,
        line,
        pointer,
        detail,
      }));
      return { faults, findings: [], neighbors: [] };
    }
    const neighbors = await this.neighborsOf(caller, value);
    const beside = overlapsOf(value, neighbors).map((each) => ({ ...each, line: 1, ...places[0] }));
    const findings = [...found.findings, ...beside].map((each) => ({
      ...each,
      stopsReview: stopsReview(each),
    }));
    return {
      digest: specDigest(value),
      faults: [],
      findings,
      neighbors: neighbors.map((each) => ({ ...each })),
    };
  }

  private async neighborsOf(caller: Caller, spec: ToolSpec) {
    const prompt = `${spec.name} ${spec.description}`.slice(0, MAX_PROMPT);
    const { items } = await this.search.search(caller, {
      ...{ prompt, kinds: ['tool'], limit: MAX_FOUND, explain: false },
    });
    return neighborsAmong(items)(spec);
  }
}

@Controller('v1/hosts/:hostId/tools/lint')
export class ToolLintController {
  constructor(private readonly lint: ToolLint) {}

  @Post()
  @Operation({
    id: 'lintTool',
    summary: 'Lint a tool before it is published',
    description:
      'Checks the spec, finds what models will get wrong, and compares it with the tools of the host that are described ' +
      'like it. Nothing is kept.',
    scope: 'catalog:read',
    confined: 'refused',
    reads: true,
    body: lintBody,
    answer: lintAnswer,
    example: lintExample,
  })
  lintTool(@CallerOf() caller: Caller, @Body() body: LintBody): Promise<LintAnswer> {
    return this.lint.of(caller, body);
  }
}

const schemaRoute = (id: string, what: string): OperationSpec => ({
  ...{ id, summary: `The JSON Schema of ${what}`, description: 'For editors: no token is needed.' },
  ...{ scope: 'none', answer: { type: 'object' }, tag: 'tools' },
  example: { answer: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' } },
});

/** The formats of a registry's files. */
@Controller('v1/schemas')
export class SpecSchemasController {
  @Get('tool-spec')
  @Operation(schemaRoute('getToolSpecSchema', 'a spec of a tool, tools/specs/<name>/vX_Y_Z.yaml'))
  toolSpec(): object {
    return publishedSchemas['tool-spec'];
  }

  @Get('tool-evaluation')
  @Operation(
    schemaRoute('getToolEvaluationSchema', 'how a version is evaluated, eval/configs/<name>/vX_Y_Z.yaml'),
  )
  evaluation(): object {
    return publishedSchemas['tool-evaluation'];
  }

  @Get('accepted-findings')
  @Operation(
    schemaRoute('getAcceptedFindingsSchema', 'what was accepted of changes, tools/accepted-findings.yaml'),
  )
  accepted(): object {
    return publishedSchemas['accepted-findings'];
  }
}
