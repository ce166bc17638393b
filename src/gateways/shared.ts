/** What other slices use of the rules, shapes and schemas of gateways/. Pure. */
export { refuseUnfitAddresses } from './gateway-address.js';
export { blockedBy, type PolicyReason } from './gateway-policy.js';
export { type ParameterRoute, type RouterTool, routerTools } from './mcp-router.js';
