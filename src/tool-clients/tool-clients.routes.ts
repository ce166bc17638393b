import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Language, ToolInterface } from '../../packages/tool-clients/tool-interface.js';
import { writeTar, writeZip } from '../documents/archive.stream.js';
import { RuleBroken } from '../kernel/errors.js';
import { Pace } from '../kernel/pace.js';
import { DATABASE, type Database } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo } from '../platform/http/parameters.js';
import { publishedTools, type PublishedTool } from '../tools/public.js';

import {
  clientsAnswer,
  clientsExample,
  clientsQuery,
  language,
  type ClientsQuery,
} from './tool-clients.schemas.js';
import { specOf } from './published-specs.lookup.js';
import { generatedPackage } from './generation.pool.js';
import { interfaceOf, packageVersionOf } from './tool-clients.js';

/** Tools of one package: what a process writes in some seconds, beside all else. */
const MAX_TOOLS = 3_000;

@Controller('v1/hosts/:hostId/tool-clients/:language')
export class ToolClients {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Get()
  @Operation({
    id: 'generateToolClients',
    summary: 'Generate a package for those who implement tools',
    description:
      'Of the tools that are offered and that the token covers: a module for each, with typed arguments and results, a ' +
      'base class that fills in defaults and checks both, and the spec. Python and Ruby need their standard library alone. ' +
      'Refused with `no_tools`, `too_many_tools`, and `tool_ambiguous` where two environments have different tools of one ' +
      'name and version.',
    tag: 'tools',
    scope: 'catalog:read',
    confined: 'refused',
    params: { language },
    query: clientsQuery,
    answer: clientsAnswer,
    example: { query: { format: 'json' }, answer: clientsExample },
  })
  async generate(
    @VisibleTo() visibility: Visibility,
    @Param('language') language: Language,
    @Query() { format, ...by }: ClientsQuery,
    @Res({ passthrough: true }) response: FastifyReply,
  ): Promise<Buffer> {
    const { hostId } = visibility;
    const sql = this.database.of(hostId);
    const found = await publishedTools(sql, visibility, { ...by, limit: MAX_TOOLS + 1 });
    const tools = await interfacesOf(found, hostId);
    const position = Math.max(...found.map((tool) => tool.position));
    const packageVersion = packageVersionOf(position, tools);
    const generated = await generatedPackage({ tools, language, packageVersion }, hostId);
    void response.header('x-content-type-options', 'nosniff');
    if (format === 'json') {
      const { modules, warnings } = generated;
      const files = Object.fromEntries(generated.files);
      void response.header('content-type', 'application/json');
      return Buffer.from(JSON.stringify({ language, packageVersion, files, modules, warnings }));
    }
    const name = `tool-registry-${language}`;
    const [mediaType, ending] =
      format === 'zip' ? ['application/zip', 'zip'] : ['application/gzip', 'tar.gz'];
    void response
      .header('content-type', mediaType)
      .header('content-disposition', `attachment; filename="${name}-${packageVersion}.${ending}"`);
    const files = [...generated.files].map(([path, text]) => ({
      path: `${name}/${path}`,
      bytes: Buffer.from(text),
    }));
    return Buffer.from(await (format === 'zip' ? writeZip(files) : writeTar(files)));
  }
}

/** Each once. Throws RuleBroken `no_tools`, `too_many_tools`, `tool_ambiguous`. */
async function interfacesOf(
  found: readonly PublishedTool[],
  hostId: string,
): Promise<readonly ToolInterface[]> {
  if (found.length === 0)
    throw new RuleBroken(
      'no_tools',
      'No such tool is offered here, or the token covers none. Publish some first.',
    );
  if (found.length > MAX_TOOLS)
    throw new RuleBroken(
      'too_many_tools',
      `A package holds ${String(MAX_TOOLS)} tools at most, and here are more. Name an API version with apiVersionId.`,
    );
  const tools = new Map<string, ToolInterface>();
  const pace = new Pace();
  for (const published of found) {
    const tool = interfaceOf(await specOf(published, hostId));
    const key = `${tool.name} ${tool.version}`;
    const known = tools.get(key);
    if (known !== undefined && known.digest !== tool.digest)
      throw new RuleBroken(
        'tool_ambiguous',
        `Two environments have different tools ${tool.name} of version ${tool.version}. Name one with envTag.`,
      );
    tools.set(key, tool);
    await pace.step();
  }
  return [...tools.values()];
}
