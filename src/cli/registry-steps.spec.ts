import { stepAfterReview, stepFrom } from './registry-steps.js';

const named = { tool: 'read_file', version: '1.2.0' };
const digest = '5f1c09ab23de'.padEnd(64, '0');
const report = { state: 'in_review', digest, missing: [], lint: [] };
const after = (more: object) => stepAfterReview({ ...report, ...more }, named);

it('leads a draft to its review, and what is in review to its report', () => {
  expect(stepFrom('draft', named)).toMatch(/registry submit read_file 1\.2\.0$/);
  expect(stepFrom('in_review', named)).toMatch(/registry review read_file 1\.2\.0$/);
});

it('leads from a report to an approval by its digest, or to what that lacks', () => {
  expect(after({})).toMatch(/registry approve read_file 1\.2\.0 --digest 5f1c09ab23de$/);
  expect(after({ missing: ['has not been evaluated'] })).toMatch(/registry evaluate read_file 1\.2\.0$/);
  expect(after({ missing: ['was written by ada: somebody else approves it'] })).toMatch(
    /--override <reason>$/,
  );
  expect(after({ missing: ['has not passed its evaluation'] })).toMatch(/--override <reason>$/);
  expect(after({ lint: [{}] })).toMatch(/--override <reason>$/);
  expect(after({ state: 'draft' })).toMatch(/registry submit/);
  expect(after({ state: 'approved' })).toBeUndefined();
});
