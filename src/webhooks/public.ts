/** What other slices use of webhooks/ beside its pure rules: use cases, lookups, ports. */
export { webhookFollower } from './webhook-deliveries.lookup.js';
