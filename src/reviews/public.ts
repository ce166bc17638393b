/** What other slices use of reviews/ beside its schemas: use cases, and what puts a report together. */
export { EvaluateVersion } from './evaluation/version-evaluation.routes.js';
export { Desk } from './decision/desk.routes.js';
export { VersionReports } from './decision/version-report.routes.js';
export { ApproveVersion, RejectVersion } from './approval/version-approval.routes.js';
