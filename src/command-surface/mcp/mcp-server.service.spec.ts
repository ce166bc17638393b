import { Subject } from 'rxjs';
import { changesOf } from './mcp-server.service.js';

it('tells of what changes while nobody listens yet, then at each growth, and nothing twice', async () => {
  const growth = new Subject<void>();
  let tools = 'before';
  const looks: Promise<unknown>[] = [];
  const look = () => {
    const seen = Promise.resolve({ tools, skills: 'same' });
    looks.push(seen);
    return seen;
  };
  const changes = await changesOf(growth, look);
  tools = 'after';
  const notified: string[] = [];
  const leave = changes.subscribe(({ kind }) => notified.push(kind));
  const looked = async (count: number): Promise<void> => {
    // All of it is in this process: it takes a few turns, and no time.
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toHaveLength(count);
  };
  await looked(2);
  expect(notified).toEqual(['tools_list_changed']);
  growth.next();
  await looked(3);
  expect(notified).toHaveLength(1);
  tools = 'later';
  growth.next();
  await looked(4);
  expect(notified).toEqual(['tools_list_changed', 'tools_list_changed']);
  leave();
  growth.next();
  expect(growth.observed).toBe(false);
});
