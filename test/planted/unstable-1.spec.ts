import { isFirst } from './once.js';

test('unstable 1 fails once', () => {
  expect(isFirst('unstable-1')).toBe(false);
});
