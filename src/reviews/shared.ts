/** What other slices use of the schemas of reviews/. Pure. */
export { versionEvaluationAnswer, versionEvaluationBody } from './evaluation/version-evaluation.schemas.js';
export { versionReportAnswer } from './decision/version-report.schemas.js';
export { approvalBody, rejectionBody } from './approval/approval.schemas.js';
