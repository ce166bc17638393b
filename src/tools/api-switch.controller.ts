import { Controller, Inject, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { apiId } from '../endpoints/api.schemas.js';
import { ImpactLookup } from '../endpoints/impact.lookup.js';
import { deactivationAnswer, impactExample } from '../endpoints/impact.schemas.js';
import type { WriteContext } from '../eventsourcing/command.js';
import { DATABASE, type Database, type Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo } from '../platform/http/parameters.js';
import { receipt } from '../platform/http/replies.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { WriteCommand } from '../platform/use-cases/write-command.js';
import {
  planApiActivation,
  planApiDeactivation,
  type NameConflict,
  type SwitchedApi,
} from './api-switch.planner.js';
import { apiActivationAnswer } from './tool-answers.schemas.js';
import { apiVersionExampleId } from './tool.examples.js';

const kept = 'tools, links and assignments stay. The answer says whom it hits.';
const returns =
  'Tools take their names again; one that finds another tool under its name stays inactive, and is among `conflicts`.';
const versionReceipt = { id: apiVersionExampleId, version: 2, position: 30, changed: true };
const apiReceipt = { ...versionReceipt, id: 'accounts' };

/** Switches APIs and their versions on and off. It stands with the tools, whose names are at stake. */
@Controller('v1/hosts/:hostId')
export class ApiSwitchController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly impacts: ImpactLookup,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  @Post('apis/:apiId/deactivate')
  @Operation({
    id: 'deactivateApi',
    summary: 'Switch an API off, with all its versions',
    description: `Nothing of it is offered; ${kept} Refused with \`api_not_covered\` where the token does not cover all its versions.`,
    scope: 'catalog:write',
    params: { apiId },
    answer: deactivationAnswer,
    example: { answer: { ...apiReceipt, impact: impactExample } },
  })
  deactivateApi(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('apiId') id: string,
  ): Promise<Reply> {
    return this.deactivate(context, visibility, { kind: 'api', id });
  }

  @Post('apis/:apiId/activate')
  @Operation({
    id: 'activateApi',
    summary: 'Switch an API on again',
    description: `Those of its versions that are active are offered again. ${returns}`,
    scope: 'catalog:write',
    params: { apiId },
    answer: apiActivationAnswer,
    example: { answer: { ...apiReceipt, version: 3, conflicts: [] } },
  })
  activateApi(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('apiId') id: string,
  ): Promise<Reply> {
    return this.activate(context, visibility, { kind: 'api', id });
  }

  @Post('api-versions/:apiVersionId/deactivate')
  @Operation({
    id: 'deactivateApiVersion',
    summary: 'Switch an API version off',
    description: `Nothing of it is offered, and an agent that is one with it is given nothing; ${kept}`,
    scope: 'catalog:write',
    answer: deactivationAnswer,
    example: { answer: { ...versionReceipt, impact: impactExample } },
  })
  deactivateVersion(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('apiVersionId') id: string,
  ): Promise<Reply> {
    return this.deactivate(context, visibility, { kind: 'api_version', id });
  }

  @Post('api-versions/:apiVersionId/activate')
  @Operation({
    id: 'activateApiVersion',
    summary: 'Switch an API version on again',
    description: `It is offered again where its API is active. ${returns}`,
    scope: 'catalog:write',
    answer: apiActivationAnswer,
    example: { answer: { ...versionReceipt, version: 3, conflicts: [] } },
  })
  activateVersion(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('apiVersionId') id: string,
  ): Promise<Reply> {
    return this.activate(context, visibility, { kind: 'api_version', id });
  }

  private async deactivate(
    context: WriteContext,
    visibility: Visibility,
    subject: SwitchedApi,
  ): Promise<Reply> {
    const impact = await this.impacts.of(this.database.of(visibility.hostId), visibility, subject);
    const plan = (sql: Sql) => planApiDeactivation(sql, visibility, subject);
    const reply = receipt(200, () => ({ impact }));
    return this.commandBus.execute(new WriteCommand({ context, mode: 'locked', plan, reply }));
  }

  private activate(context: WriteContext, visibility: Visibility, subject: SwitchedApi): Promise<Reply> {
    let conflicts: readonly NameConflict[] = [];
    const plan = async (sql: Sql) => {
      const planned = await planApiActivation(sql, visibility, subject);
      conflicts = planned.conflicts;
      return planned.commands;
    };
    const reply = receipt(200, () => ({ conflicts }));
    return this.commandBus.execute(new WriteCommand({ context, mode: 'locked', plan, reply }));
  }
}
