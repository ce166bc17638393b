import { Post } from '@nestjs/common';
import { apiId } from '../endpoints/api.schemas.js';
import { deactivationAnswer, impactExample } from '../endpoints/impact.schemas.js';
import { writeRoute } from '../platform/records/routes.js';
import {
  ActivateApi,
  ActivateApiVersion,
  DeactivateApi,
  DeactivateApiVersion,
} from './api-switch.planner.js';
import { apiActivationAnswer } from './tool-answers.schemas.js';
import { apiVersionExampleId } from './tool.examples.js';

const kept = 'tools, links and assignments stay. The answer says whom it hits.';
const returns =
  'Tools take their names again; one that finds another tool under its name stays inactive, and is among `conflicts`.';
const versionReceipt = { id: apiVersionExampleId, version: 2, position: 30, changed: true };
const apiReceipt = { ...versionReceipt, id: 'accounts' };

/** Switches APIs and their versions on and off. It stands with the tools, whose names are at stake. */
export const apiSwitchRoutes = [
  writeRoute(
    [Post, 'apis/:apiId/deactivate'],
    {
      id: 'deactivateApi',
      summary: 'Switch an API off, with all its versions',
      description: `Nothing of it is offered; ${kept} Refused with \`api_not_covered\` where the token does not cover all its versions.`,
      scope: 'catalog:write',
      params: { apiId },
      answer: deactivationAnswer,
      example: { answer: { ...apiReceipt, impact: impactExample } },
    },
    DeactivateApi,
  ),
  writeRoute(
    [Post, 'apis/:apiId/activate'],
    {
      id: 'activateApi',
      summary: 'Switch an API on again',
      description: `Those of its versions that are active are offered again. ${returns}`,
      scope: 'catalog:write',
      params: { apiId },
      answer: apiActivationAnswer,
      example: { answer: { ...apiReceipt, version: 3, conflicts: [] } },
    },
    ActivateApi,
  ),
  writeRoute(
    [Post, 'api-versions/:apiVersionId/deactivate'],
    {
      id: 'deactivateApiVersion',
      summary: 'Switch an API version off',
      description: `Nothing of it is offered, and an agent that is one with it is given nothing; ${kept}`,
      scope: 'catalog:write',
      answer: deactivationAnswer,
      example: { answer: { ...versionReceipt, impact: impactExample } },
    },
    DeactivateApiVersion,
  ),
  writeRoute(
    [Post, 'api-versions/:apiVersionId/activate'],
    {
      id: 'activateApiVersion',
      summary: 'Switch an API version on again',
      description: `It is offered again where its API is active. ${returns}`,
      scope: 'catalog:write',
      answer: apiActivationAnswer,
      example: { answer: { ...versionReceipt, version: 3, conflicts: [] } },
    },
    ActivateApiVersion,
  ),
];
