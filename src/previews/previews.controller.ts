import { Body, Controller, Param, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Operation } from '../platform/http/operation.js';
import { ReaderOf, type Reader } from '../platform/http/parameters.js';
import { PreviewSkill } from './preview.queries.js';
import { previewAnswer, previewBody, previewExample, type PreviewBody } from './preview.schemas.js';

@Controller('v1/hosts/:hostId/skills/:skillId/preview')
export class PreviewsController {
  constructor(private readonly queryBus: QueryBus) {}

  @Post()
  @Operation({
    id: 'previewSkill',
    reads: true,
    summary: 'Look at a skill as an agent would',
    description:
      'The text that it puts into a prompt, the tools that may be called, how much room both take, and what serves ' +
      'an agent badly. With `agentDefId`, as that agent is given it: what is withheld from it is left out.',
    scope: 'catalog:read',
    body: previewBody,
    answer: previewAnswer,
    example: { body: { prompt: 'How much is on my account?' }, answer: previewExample },
  })
  preview(@ReaderOf() reader: Reader, @Param('skillId') skillId: string, @Body() body: PreviewBody) {
    return this.queryBus.execute(new PreviewSkill(reader, skillId, body));
  }
}
