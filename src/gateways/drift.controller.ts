import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Reply } from '../eventsourcing/command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo, WriterOf, type Writer } from '../platform/http/parameters.js';
import { listAnswer } from '../platform/http/schemas.js';
import {
  acceptanceExample,
  acceptedExample,
  checkExample,
  driftExample,
  historyExample,
} from './drift.examples.js';
import { ListDriftHistory } from './drift-history.queries.js';
import {
  driftAcceptance,
  driftAcceptanceAnswer,
  driftAnswer,
  driftCheckAnswer,
  driftHistoryEntry,
  driftHistoryQuery,
  type DriftAcceptanceBody,
  type DriftHistoryQuery,
} from './drift.schemas.js';
import { DriftService } from './drift.service.js';
import type { DriftAnswer } from './gateway-drifts.port.js';

@Controller('v1/hosts/:hostId/gateways/:gatewayId/drift')
export class DriftController {
  constructor(
    private readonly drift: DriftService,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'getGatewayDrift',
    summary: 'Compare a live gateway with the catalog',
    description:
      'Calls tools/list of the gateway, all pages, and changes nothing. Compared is with what was accepted of the gateway ' +
      'before, else with the tool as it is. A gateway that can’t be reached or does not keep to the protocol is 502, ' +
      'with a `code` that says how.',
    scope: 'catalog:admin',
    confined: 'refused',
    answer: driftAnswer,
    example: { answer: driftExample },
  })
  look(@VisibleTo() visibility: Visibility, @Param('gatewayId') gatewayId: string): Promise<DriftAnswer> {
    return this.drift.look(visibility, gatewayId);
  }

  @Post('accept')
  @Operation({
    id: 'acceptGatewayDrift',
    summary: 'Take over what a live gateway lists',
    description:
      'The gateway is asked anew: a finding that no longer holds is refused with `finding_not_current`. A missing tool ' +
      'is taken off the gateway, and goes inactive where nothing else has it; a new one is imported as the gateway’s ' +
      'word, published and exposed; a changed one writes the gateway’s layer and no other; an inactive one comes back ' +
      'under its ids, with its exposure.',
    scope: 'catalog:admin',
    confined: 'refused',
    body: driftAcceptance,
    batch: true,
    answer: driftAcceptanceAnswer,
    example: { body: acceptanceExample, answer: acceptedExample },
  })
  accept(
    @WriterOf() writer: Writer,
    @Param('gatewayId') gatewayId: string,
    @Body() body: DriftAcceptanceBody,
  ): Promise<Reply> {
    return this.drift.accept(writer, gatewayId, body);
  }

  @Post('check')
  @Operation({
    id: 'checkGateway',
    summary: 'Check a gateway and keep what is found',
    description:
      'What a gateway with `checkIntervalSeconds` does by itself: an event where the check finds something else than the ' +
      'last one did, and none where it does not. A gateway that can’t be asked is kept as `failure`. Diagnostics tell what ' +
      'was found last.',
    scope: 'catalog:admin',
    confined: 'refused',
    answer: driftCheckAnswer,
    example: { answer: checkExample },
  })
  check(@WriterOf() writer: Writer, @Param('gatewayId') gatewayId: string): Promise<Reply> {
    return this.drift.check(writer, gatewayId);
  }

  @Get('history')
  @Operation({
    id: 'listGatewayDriftHistory',
    summary: 'List what checks of a gateway found, and what was accepted',
    description: 'Oldest first. An entry is made only where something is different.',
    scope: 'catalog:admin',
    confined: 'refused',
    query: driftHistoryQuery,
    answer: listAnswer(driftHistoryEntry),
    example: { answer: { items: [historyExample] } },
  })
  history(
    @VisibleTo() visibility: Visibility,
    @Param('gatewayId') gatewayId: string,
    @Query() query: DriftHistoryQuery,
  ) {
    return this.queryBus.execute(new ListDriftHistory(visibility, gatewayId, query));
  }
}
