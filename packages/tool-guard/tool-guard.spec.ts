import { approvalReasons, needsApprovalFor, unapproved } from './tool-guard.js';

const [destructive, approval] = approvalReasons;

test.each([
  [{}, undefined],
  [{ destructive: false, humanApprovalRequired: false }, undefined],
  [{ destructive: true }, destructive],
  [{ humanApprovalRequired: true }, approval],
  [{ destructive: true, humanApprovalRequired: true }, destructive],
])('without approval, %j is held back as %s; with it, it is not', (safety, reason) => {
  expect(unapproved(safety, false)).toBe(reason);
  expect(unapproved(safety, true)).toBeUndefined();
});

test('each reason is told apart', () => {
  const safety = { humanApprovalRequired: true };
  expect(approvalReasons.map((reason) => needsApprovalFor(safety, reason))).toEqual([false, true]);
});
