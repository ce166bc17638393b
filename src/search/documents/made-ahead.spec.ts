import { MadeAhead } from './made-ahead.js';

const [host, other] = ['h1', 'h2'];

test('a document is made once for events up to the head at which its rows were read', () => {
  const ahead = new MadeAhead();
  ahead.begin(host, 1);
  expect(ahead.due(host, 'tool', ['a', 'b'], 100)).toEqual(['a', 'b']);
  ahead.made(host, 'tool', ['a'], 250);
  ahead.end(host, 100, 250);
  ahead.begin(host, 101);
  expect(ahead.due(host, 'tool', ['a', 'b'], 200)).toEqual(['b']);
  expect(ahead.due(host, 'endpoint', ['a'], 200)).toEqual(['a']);
  expect(ahead.due(other, 'tool', ['a'], 200)).toEqual(['a']);
  ahead.end(host, 200, 250);
  ahead.begin(host, 201);
  expect(ahead.due(host, 'tool', ['a'], 251)).toEqual(['a']);
});

test('all are made again where events come once more, as after a failure, or where the log is followed anew', () => {
  const ahead = new MadeAhead();
  ahead.begin(host, 1);
  ahead.made(host, 'tool', ['a'], 250);
  ahead.end(host, 100, 250);
  ahead.begin(host, 100);
  expect(ahead.due(host, 'tool', ['a'], 200)).toEqual(['a']);
});

test('all are made again of events whose taking in did not end', () => {
  const ahead = new MadeAhead();
  ahead.begin(host, 1);
  ahead.end(host, 50, 250);
  ahead.begin(host, 51);
  ahead.made(host, 'tool', ['a'], 250);
  ahead.begin(host, 51);
  expect(ahead.due(host, 'tool', ['a'], 200)).toEqual(['a']);
});

test('nothing is kept of a log that was followed to its head', () => {
  const ahead = new MadeAhead();
  ahead.begin(host, 1);
  ahead.made(host, 'tool', ['a'], 100);
  ahead.end(host, 100, 100);
  ahead.begin(host, 101);
  expect(ahead.due(host, 'tool', ['a'], 100)).toEqual(['a']);
});
