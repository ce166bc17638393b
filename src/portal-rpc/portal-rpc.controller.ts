import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Invalid } from '../kernel/errors.js';
import { catalogAnswer, catalogExample } from '../effective-catalog/shared.js';
import { Operation, type OperationSpec } from '../platform/http/operation.js';
import { versionTag } from '../platform/http/replies.js';
import { inSnakeCase, isSnakeCase } from './member-names.js';
import { insteadOf, portalActions, PORTAL_VERSION, type PortalAction } from './portal-action.js';
import {
  flatCatalog,
  flattened,
  portalEnvelope,
  portalSpec,
  type PortalEnvelope,
} from './portal-rpc.schemas.js';
import { portalSpecOf } from './portal-spec.js';
import { PortalTwins } from './portal-twins.service.js';
import { operationOf, twinRequest, type TwinRequest } from './twin-request.js';

const example = {
  host: 'lightapi.net',
  service: 'genai',
  action: 'getEffectiveAgentCatalog',
  version: PORTAL_VERSION,
  data: {
    host_id: catalogExample.hostId,
    agent_def_id: catalogExample.agentDefId,
    service_id: catalogExample.serviceId,
    env_tag: catalogExample.envTag,
  },
};

const envelopeRoute = {
  // The operation that answers asks for the token, and for what it must allow.
  ...{ scope: 'none', body: portalEnvelope, answer: { type: 'object' }, tag: 'portal' },
} as const satisfies Partial<OperationSpec>;

/** Headers that say something of one connection, or of the body as it came. */
const ofTheEnvelope = [
  'connection',
  'content-length',
  'content-type',
  'content-encoding',
  'expect',
  'if-none-match',
];
const ofTheConnection = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'];

/**
 * The reference system's way of asking, for agents that know no other: each action is answered by the operation over
 * HTTP that is its twin, asked within this process behind the same stations, so that neither can answer differently
 * (docs/decisions/0088-portal-rpc.md).
 */
@Controller('portal')
export class PortalRpc {
  constructor(
    private readonly twins: PortalTwins,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  @Get('spec')
  @Operation({
    id: 'getPortalSpec',
    summary: 'The actions of the portal’s RPC',
    ...{ scope: 'none', answer: portalSpec, tag: 'portal' },
    example: { answer: { service: 'genai', version: PORTAL_VERSION, actions: [] } },
  })
  spec(): object {
    return portalSpecOf((id) => this.twins.named(id));
  }

  @Post('query')
  @Operation({
    id: 'queryPortal',
    summary: 'Ask as agents of the reference system do',
    description:
      'The answer is that of the operation that the action stands for; GET /portal/spec lists them.',
    ...envelopeRoute,
    reads: true,
    example: { body: example, answer: inSnakeCase(catalogExample, catalogAnswer) },
  })
  query(
    @Body() envelope: PortalEnvelope,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer('query', envelope, request, reply);
  }

  @Post('command')
  @Operation({
    id: 'commandPortal',
    summary: 'Change the catalog as the reference system’s portal does',
    description:
      'The answer is that of the operation that the action stands for; GET /portal/spec lists them.',
    ...envelopeRoute,
    example: {
      body: {
        ...example,
        action: 'createSkill',
        data: { hostId: catalogExample.hostId, name: 'Accounts', contentMarkdown: '…' },
      },
      answer: {},
    },
  })
  command(
    @Body() envelope: PortalEnvelope,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer('command', envelope, request, reply);
  }

  private async answer(
    kind: PortalAction['kind'],
    { action: name, data }: PortalEnvelope,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const action = actionNamed(name, kind);
    const { shape, ...asked } = data;
    const isFlat = flatIn(name, shape);
    const twin = this.twins.named(operationOf(action, asked));
    const answer = await this.ask(twinRequest(action, twin, asked), request);
    void reply.code(answer.statusCode).headers(without(answer.headers, ofTheConnection));
    const isPlain =
      answer.statusCode < 300 && String(answer.headers['content-type']).startsWith('application/json');
    if (!isPlain || !(isFlat || isSnakeCase(data))) {
      void reply.send(answer.rawPayload);
      return;
    }
    const whole: unknown = JSON.parse(answer.payload);
    const [shown, schema] = isFlat
      ? [flattened(whole as Parameters<typeof flattened>[0]), flatCatalog]
      : [whole, twin.operation.answer];
    void reply.send(JSON.stringify(isSnakeCase(data) ? inSnakeCase(shown, schema) : shown));
  }

  /** Asks in the name of who asked: with their token or session, and from their address. */
  private ask({ method, path, body, expectedVersion }: TwinRequest, { headers, ip }: FastifyRequest) {
    const instance = this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
    return instance.inject({
      method: method as 'GET',
      url: path,
      remoteAddress: ip,
      headers: {
        ...without(headers, ofTheEnvelope),
        ...(expectedVersion !== undefined && { 'if-match': versionTag(expectedVersion) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
  }
}

function actionNamed(name: string, kind: PortalAction['kind']): PortalAction {
  const action = portalActions.get(name);
  const instead = Object.hasOwn(insteadOf, name) ? insteadOf[name] : undefined;
  const detail =
    action === undefined
      ? (instead ?? 'No action has this name: GET /portal/spec lists those there are.')
      : `This is a ${action.kind}: send it to /portal/${action.kind}.`;
  if (action?.kind === kind) return action;
  throw new Invalid('unknown_action', `The action ${name} can’t be taken.`, [{ pointer: '/action', detail }]);
}

/** Whether the flat shape was asked for. */
function flatIn(action: string, shape: unknown): boolean {
  if (shape === undefined) return false;
  if (action === 'getEffectiveAgentCatalog' && (shape === 'flat' || shape === 'nested'))
    return shape === 'flat';
  throw new Invalid('invalid_data', 'The action can’t take this shape.', [
    { pointer: '/data/shape', detail: 'A catalog has the shapes nested and flat; nothing else has one.' },
  ]);
}

function without<Value>(
  headers: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
