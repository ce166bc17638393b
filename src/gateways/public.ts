/** What other slices use of gateways/ beside its pure rules: use cases, lookups, ports. */
export { type DriftItem, GatewayDrifts } from './drift/gateway-drifts.port.js';
export { openFindings } from './drift/open-findings.lookup.js';
export { knownGateways, requireGateway } from './gateway.record.js';
export { OfferedTools } from './offered-tools.lookup.js';
