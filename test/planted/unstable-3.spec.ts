import { isFirst } from './once.js';

test('unstable 3 fails once', () => {
  expect(isFirst('unstable-3')).toBe(false);
});
