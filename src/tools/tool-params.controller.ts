import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo } from '../platform/http/parameters.js';
import { listAnswer } from '../platform/http/schemas.js';
import { paramName, toolParam } from './tool-answers.schemas.js';
import { paramExample } from './tool.examples.js';
import { GetToolParam, ListToolParams } from './tools.queries.js';

/** The params of a tool: the properties of its input schema. */
@Controller('v1/hosts/:hostId/tools/:toolId/params')
export class ToolParamsController {
  constructor(private readonly queryBus: QueryBus) {}

  @Get()
  @Operation({
    id: 'listToolParams',
    summary: 'List the params of a tool',
    description: 'All of them, in their order: the properties of the input schema.',
    scope: 'catalog:read',
    answer: listAnswer(toolParam),
    example: { answer: { items: [paramExample] } },
  })
  list(@VisibleTo() visibility: Visibility, @Param('toolId') toolId: string) {
    return this.queryBus.execute(new ListToolParams(visibility, toolId));
  }

  @Get(':paramName')
  @Operation({
    id: 'getToolParam',
    summary: 'Get a param of a tool',
    description: 'By its name: a property of the input schema.',
    scope: 'catalog:read',
    params: { paramName },
    answer: toolParam,
    example: { answer: paramExample },
  })
  get(
    @VisibleTo() visibility: Visibility,
    @Param() { toolId, paramName: name }: { readonly toolId: string; readonly paramName: string },
  ) {
    return this.queryBus.execute(new GetToolParam(visibility, toolId, name));
  }
}
