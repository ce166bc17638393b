import type { JWTPayload } from 'jose';
import { sample } from './sample/sample-ids.js';

/** What a developer may do by the development issuer, on the page /docs and in the browser: everything, in the host of the sample. */
export const developmentClaims = {
  ...{ sub: 'developer', name: 'Developer' },
  ...{ host: sample.hostId, sid: sample.apiServiceId, env: [sample.envTag, 'test', 'staging', 'prod'] },
  scope: 'catalog:read catalog:write catalog:approve catalog:admin catalog:all-services',
} as const satisfies JWTPayload;
