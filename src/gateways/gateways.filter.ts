import type { Visibility } from '../platform/auth/visibility.js';
import type { Conditions } from '../platform/database/conditions.js';
import { visibleRows } from '../platform/database/visible-rows.js';

/** The gateways that a reader may see, for a table with `service_id` and `env_tag`: none with `agent_def_id`. */
export function visibleGateways(visibility: Visibility): Conditions {
  return visibleRows(visibility);
}
