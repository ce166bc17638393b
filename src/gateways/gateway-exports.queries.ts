import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { exposedTools, type ExposedTool } from './exposed-tools.lookup.js';
import { requireGateway } from './gateway.lookup.js';
import { blockedBy } from './gateway-policy.js';
import { routerConfig } from './mcp-router/router-config.js';

/** YAML. Throws NotFound. */
export class GetRouterConfig extends Query<string> {
  constructor(
    readonly visibility: Visibility,
    readonly gatewayId: string,
  ) {
    super();
  }
}

export interface ToolsList {
  readonly tools: readonly object[];
}

/** Throws NotFound. */
export class GetToolsList extends Query<ToolsList> {
  constructor(
    readonly visibility: Visibility,
    readonly gatewayId: string,
  ) {
    super();
  }
}

@QueryHandler(GetRouterConfig)
export class GetRouterConfigHandler implements IQueryHandler<GetRouterConfig> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, gatewayId }: GetRouterConfig): Promise<string> {
    const gateway = await requireGateway(this.database.of(visibility.hostId), visibility, gatewayId);
    const tools = await exposedTools(this.database.of(visibility.hostId), visibility, gatewayId);
    const offered = tools.filter(({ active, waits }) => active && !waits);
    return routerConfig(offered, gateway);
  }
}

@QueryHandler(GetToolsList)
export class GetToolsListHandler implements IQueryHandler<GetToolsList> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, gatewayId }: GetToolsList): Promise<ToolsList> {
    const { maxSensitivityTier } = await requireGateway(
      this.database.of(visibility.hostId),
      visibility,
      gatewayId,
    );
    const tools = await exposedTools(this.database.of(visibility.hostId), visibility, gatewayId);
    const listed = tools.filter(
      (tool) => tool.active && !tool.waits && blockedBy(tool, maxSensitivityTier) === undefined,
    );
    return { tools: listed.map(definitionOf) };
  }
}

function definitionOf({ name, description, inputSchema, outputSchema, metadata }: ExposedTool): object {
  const { readOnly, destructive, idempotent } = metadata.safety ?? {};
  return {
    name,
    description,
    inputSchema,
    ...(outputSchema === null ? {} : { outputSchema }),
    annotations: {
      readOnlyHint: readOnly === true,
      destructiveHint: destructive === true,
      idempotentHint: idempotent === true,
    },
  };
}
