import { isFirst } from './once.js';

test('unstable 4 fails once', () => {
  expect(isFirst('unstable-4')).toBe(false);
});
