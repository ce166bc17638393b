/** What other slices use of webhooks/ beside its pure rules: use cases, lookups, ports. */
export { deadLetters, webhookFollower } from './webhook-deliveries.lookup.js';
