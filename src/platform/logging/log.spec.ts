import { createLog, NestLog } from './log.js';

function lines(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const written: string[] = [];
  write(createLog('info', { write: (line) => void written.push(line) }));
  return written.map((line) => JSON.parse(line) as Record<string, unknown>);
}

it('writes JSON lines with a time', () => {
  const [line] = lines((log) => {
    log.info({ requestId: 'r' }, 'request');
  });
  expect(line).toMatchObject({ requestId: 'r', msg: 'request', time: expect.stringMatching(/^\d{4}-.*Z$/) });
});

it('holds of an error what it is and where, and nothing that a driver hangs on it', () => {
  const error = Object.assign(new Error(`failed ${'x'.repeat(5000)}`, { cause: new Error('inner') }), {
    code: '23505',
    query: 'INSERT secret-statement',
    parameters: ['secret-document'],
    detail: 'Key (name)=(secret-row)',
  });
  const [line] = lines((log) => {
    log.error({ err: error }, 'failed');
  });
  expect(line).toMatchObject({ err: { type: 'Error', code: '23505', cause: { message: 'inner' } } });
  expect(JSON.stringify(line)).not.toContain('secret');
  expect(JSON.stringify(line).length).toBeLessThan(6000);
});

it('takes what Nest says, with its context', () => {
  const said = lines((log) => {
    const nest = new NestLog(log);
    nest.log('starting', 'Factory');
    nest.error('broken', 'Engine');
    nest.error(new Error('start failed'), 'ExceptionHandler');
  });
  expect(said).toEqual([expect.objectContaining({ level: 50, context: 'Engine', msg: 'broken' })]);
});
