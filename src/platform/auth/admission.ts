import type { FastifyRequest } from 'fastify';
import type { OperationSpec } from '../http/operation.js';
import { Problem } from '../http/problem.js';
import { isNarrowedCaller, type Caller, type Scope } from './caller.js';
import { refuseConfined, requireScope, satisfies } from './claims.js';
import { checkAgent, checkHost, checkNamed, namedPlaces } from './named-values.js';

/** The claim checks of one route; made once when the route is declared (contract 2). */
export interface Admission {
  /** Before the body is read: host, scope, and what path and query name. Problem 403. */
  readonly byPath: (caller: Caller, request: FastifyRequest) => void;
  /** With the body: what it names, 403; an agent's token without `agent_def_id` must name the agent, 400. */
  readonly byBody: (caller: Caller, request: FastifyRequest) => void;
}

export function admission({ scope, query, body, confined }: OperationSpec): Admission {
  const wanted = typeof scope === 'string' ? [scope] : scope;
  const anyOf = wanted.filter((each): each is Scope => each !== 'none');
  const inQuery = namedPlaces(query);
  const inBody = namedPlaces(body);
  return {
    byPath: (caller, { params, query: given }) => {
      const { hostId, agentDefId } = params as Readonly<Record<string, string | undefined>>;
      if (hostId !== undefined) checkHost(caller, hostId);
      requireScope(caller, ...anyOf);
      if (confined === 'refused') refuseNarrowed(caller);
      if (agentDefId !== undefined) checkAgent(caller, agentDefId);
      checkNamed(caller, inQuery, given);
    },
    byBody: (caller, request) => {
      checkNamed(caller, inBody, request.body);
      if (needsAgent(caller, anyOf) && !namesAgent(request)) {
        throw new Problem(400, 'agent_required', 'Name the agent: this token has no agent_def_id.');
      }
    },
  };
}

/** What holds records of every kind and tier is not for a token that may see only some: 403. */
export function refuseNarrowed(caller: Caller): void {
  refuseConfined(caller);
  if (isNarrowedCaller(caller)) {
    throw new Problem(
      403,
      'confined_token',
      'A token with maxSensitivityTier does not read this: it holds every tier.',
    );
  }
}

/** Let in by `catalog:agent` alone, by a token that is not an agent's own. */
function needsAgent(caller: Caller, anyOf: readonly Scope[]): boolean {
  if (caller.agentDefId !== undefined || !anyOf.includes('catalog:agent')) return false;
  const others = anyOf.filter((scope) => scope !== 'catalog:agent');
  return !others.some((scope) => satisfies(caller, scope));
}

function namesAgent({ params, query, body }: FastifyRequest): boolean {
  return [params, query, body].some(
    (part) => typeof part === 'object' && part !== null && Object.hasOwn(part, 'agentDefId'),
  );
}
