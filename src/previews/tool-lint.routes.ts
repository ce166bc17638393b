import { Body, Controller, Get, Injectable, Post } from '@nestjs/common';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Caller } from '../platform/auth/caller.js';
import { Operation, type OperationSpec } from '../platform/http/operation.js';
import { CallerOf } from '../platform/http/parameters.js';
import {
  lintRules,
  lintTool,
  neighborsAmong,
  publishedSchemas,
  readToolSpec,
  specDigest,
  stopsReview,
  type ToolSpec,
} from '../registry/shared.js';
import { CatalogSearch } from '../search/public.js';

const body = {
  type: 'object',
  additionalProperties: false,
  required: ['spec'],
  properties: {
    spec: {
      description:
        'One version of a tool, as tools/specs has it: YAML or JSON as a text, or the object itself.',
      anyOf: [{ type: 'string', minLength: 1, maxLength: 131_072 }, { type: 'object' }],
    },
  },
} as const satisfies JSONSchema;
type LintBody = FromSchema<typeof body>;

const place = {
  line: { type: 'integer', minimum: 1, description: 'From 1, in the text; of an object, 1.' },
  pointer: { type: 'string', description: 'RFC 6901, in the spec.' },
} as const;
const string = { type: 'string' } as const;

const answer = {
  type: 'object',
  required: ['faults', 'findings', 'neighbors'],
  properties: {
    digest: { ...string, description: 'Of what the spec says; left out where it has faults.' },
    faults: {
      type: 'array',
      description: 'Why it is no spec. Where there are any, nothing else is looked at.',
      items: {
        title: 'SpecFault',
        type: 'object',
        required: ['rule', 'line', 'pointer', 'detail'],
        properties: { rule: string, ...place, detail: string },
      },
    },
    findings: {
      type: 'array',
      description: 'What models will get wrong, each with a better example.',
      items: {
        title: 'LintFinding',
        type: 'object',
        required: ['rule', 'line', 'pointer', 'reason', 'example', 'stopsReview'],
        properties: {
          rule: { ...string, enum: lintRules },
          ...place,
          ...{ reason: string, example: string },
          stopsReview: { type: 'boolean', description: 'Whether a review asks for it to be mended.' },
        },
      },
    },
    neighbors: {
      type: 'array',
      description: 'Tools of the host that are described most like it, nearest first.',
      items: {
        title: 'ToolNeighbor',
        type: 'object',
        required: ['name', 'similarity'],
        properties: { name: string, similarity: { type: 'number', minimum: 0, maximum: 1 } },
      },
    },
  },
} as const satisfies JSONSchema;
type LintAnswer = FromSchema<typeof answer>;

const example = {
  body: {
    spec: 'version: 1.0.0\nname: get_issue\ndescription: Gets an issue.\ninputSchema: { type: object }\noutputSchema: { type: object }\n',
  },
  answer: {
    digest: 'sha256:0d5b0aa3a1a0a4dd7e1d4dfc0ec9a3dd4d6a9a1b9d1b5f0f6f4d1d8f0a7a9c11',
    faults: [],
    findings: [
      {
        ...{ rule: 'description_vague', line: 3, pointer: '/description' },
        reason: 'Models choose by the description; so few words do not tell the tool from others.',
        example: 'Gets an issue. Use it when … is known. Does not …; list_issue does.',
        stopsReview: true,
      },
    ],
    neighbors: [],
  },
} as const satisfies { body: LintBody; answer: LintAnswer };

/** Tools that are compared with the one that is linted. */
const MAX_FOUND = 50;
/** Characters of a description by which others are looked for. */
const MAX_PROMPT = 4_000;

/** Lints a tool beside those that the caller may read of the host. */
@Injectable()
export class ToolLint {
  constructor(private readonly search: CatalogSearch) {}

  async of(
    caller: Caller,
    spec: ToolSpec,
  ): Promise<Pick<LintAnswer, 'neighbors'> & { findings: ReturnType<typeof lintTool> }> {
    const prompt = `${spec.name} ${spec.description}`.slice(0, MAX_PROMPT);
    const { items } = await this.search.search(caller, {
      ...{ prompt, kinds: ['tool'], limit: MAX_FOUND, explain: false },
    });
    const neighbors = neighborsAmong(items)(spec);
    return { neighbors: neighbors.map((neighbor) => ({ ...neighbor })), findings: lintTool(spec, neighbors) };
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
    body,
    answer,
    example,
  })
  async lintTool(@CallerOf() caller: Caller, @Body() { spec }: LintBody): Promise<LintAnswer> {
    const read = readToolSpec({ path: '', text: typeof spec === 'string' ? spec : JSON.stringify(spec) });
    if (read.value === undefined) {
      const faults = read.faults.map(({ rule, line, pointer, detail }) => ({ rule, line, pointer, detail }));
      return { faults, findings: [], neighbors: [] };
    }
    const { neighbors, findings } = await this.lint.of(caller, read.value);
    const placed = findings.map((finding) => ({
      ...finding,
      ...read.placeOf(finding.pointer),
      stopsReview: stopsReview(finding),
    }));
    return { digest: specDigest(read.value), faults: [], findings: placed, neighbors };
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
