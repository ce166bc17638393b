/** Whom the development issuer lets a person be, so that what takes several can be tried alone. */
import type { JWTPayload } from 'jose';
import { ALL_SERVICES } from '../auth/claims.js';

export const personas = ['operator', 'reviewer', 'author', 'agent'] as const;
type Persona = (typeof personas)[number];

/** The agent that somebody is, as the catalog has it. */
interface PlayedAgent {
  readonly agentDefId: string;
  readonly serviceId: string;
  readonly envTag: string;
  readonly name: string;
}

/** What differs from the claims of a developer. */
export function claimsOfPersona(persona: Persona, agent: PlayedAgent | undefined): JWTPayload {
  switch (persona) {
    case 'operator':
      return { sub: 'operator', name: 'Operator' };
    case 'reviewer':
      return { sub: 'reviewer', name: 'Reviewer', scope: `catalog:read catalog:approve ${ALL_SERVICES}` };
    case 'author':
      return { sub: 'author', name: 'Author', scope: `catalog:read catalog:write ${ALL_SERVICES}` };
    case 'agent':
      return {
        ...{ sub: 'agent', name: agent?.name, scope: 'catalog:read catalog:agent' },
        ...{ agent_def_id: agent?.agentDefId, sid: agent?.serviceId, env: agent?.envTag },
      };
  }
}
