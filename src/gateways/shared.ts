/** What other slices use of the rules, shapes and schemas of gateways/. Pure. */
export type { CallerIdentity } from './caller-identity.rules.js';
export { blockedBy, type PolicyReason, refuseUnfitAddresses } from './gateway.rules.js';
export {
  faultMeta,
  type RouterCredential,
  type RouterTool,
  readRouterConfig,
  versionHeader,
  versionMeta,
  versionsListed,
} from './mcp-router.js';
export type { ParameterRoute, RouterEndpoint, RouterOperation, RouterStep } from './router-calls.js';
