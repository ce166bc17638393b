import { isFirst } from './once.js';

test('unstable 2 fails once', () => {
  expect(isFirst('unstable-2')).toBe(false);
});
