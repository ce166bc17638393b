import { inReviewLines } from './registry-waiting.js';

const one = { toolId: 'id-1', toolName: 'getMoon', version: '2.0.0', isNew: true };

it('says how many changes wait for a review, which, and where to look', () => {
  expect(inReviewLines([], 20)).toEqual([]);
  const [count, which, where, ...none] = inReviewLines([one], 20);
  expect([count, which, none]).toEqual([
    '  1 version waits for a review; agents go on with what they have:',
    '    getMoon 2.0.0  id-1',
    [],
  ]);
  expect(where).toMatch(/next: .*registry desk/);
});

it('tells what an import has brought from what waited before, and cuts long lists', () => {
  const many = ['a', 'b', 'c'].map((toolName) => ({ toolName, version: '2.0.0', isNew: true }));
  const lines = inReviewLines([...many, { ...one, isNew: false }], 2);
  expect(lines.slice(0, 5)).toEqual([
    '  3 versions wait for a review; agents go on with what they have:',
    '    a 2.0.0',
    '    b 2.0.0',
    '    … 1 more',
    '  1 version waited before',
  ]);
});
