/** What other slices use of the rules, shapes and schemas of gateways/. Pure. */
export { blockedBy, type PolicyReason, refuseUnfitAddresses } from './gateway.rules.js';
export {
  type ParameterRoute,
  type RouterTool,
  routerTools,
  versionMeta,
  versionsListed,
} from './mcp-router.js';
