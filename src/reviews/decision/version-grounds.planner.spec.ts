import type { Caller } from '../../platform/auth/caller.js';
import { readingForReads } from '../../registry/public.js';
import { evalConfigDigest } from '../../registry/shared.js';
import type { KnownVersion } from '../../tools/public.js';
import { groundsOf, missingFor } from './version-grounds.planner.js';

const content: KnownVersion['content'] = {
  ...{ description: 'Reads a file.', routing: {}, lifecycleStatus: 'active' },
  safety: { readOnly: true, idempotent: true, destructive: false, humanApprovalRequired: false },
  ...{ inputSchema: { type: 'object' }, params: [], sourceProtocol: null, capabilityRef: null },
};
const passed = {
  ...{ passed: true, at: '2026-03-01T12:00:00Z', digest: 'd', against: '1.0.0', margin: 0.02 },
  asked: { configDigest: null, allDataSets: true, dataSetsDigest: 'sets' },
};
const version = (number: string, said: Partial<KnownVersion> = {}): KnownVersion => ({
  ...{
    toolId: 't',
    name: 'read_file',
    envTag: null,
    version: number,
    state: 'approved',
    origin: 'spec',
    content,
  },
  ...{
    digest: 'd',
    ...{ specText: null, about: null, writtenText: null },
    author: 'ada',
    authors: ['ada'],
    evalConfig: null,
    evalConfigText: null,
    accepted: [],
  },
  ...{
    callFault: null,
    evaluation: null,
    review: null,
    override: null,
    seen: null,
    deprecation: null,
    isPresent: number === '1.0.0',
    position: 1,
  },
  ...{ updateTs: '2026-03-01T12:00:00Z', updateUser: 'ada', ...said },
});
const caller = (user: string): Caller => ({
  ...{ actor: { user }, issuer: 'i', hostId: 'h', services: 'all', environments: ['dev'], expiresAt: 0 },
  ...{ scopes: new Set(['catalog:approve'] as const), fingerprint: 'f' },
});
/** What keeps somebody else from approving the waiting version, beside the others of its tool. */
const missing = async (
  waiting: Partial<KnownVersion>,
  others: readonly KnownVersion[] = [version('1.0.0')],
  dataSetsDigest = 'sets',
) => {
  const known = version('1.2.0', { state: 'in_review', evaluation: passed, ...waiting });
  const present = { versions: [known, ...others], dataSetsDigest, today: '2026-03-02' };
  return missingFor(caller('grace'), await groundsOf(known, present, readingForReads('h')));
};

it('approves what has passed against the version whose place it takes', async () => {
  expect(await missing({})).toEqual([]);
});

it('asks for another evaluation where another version is to be replaced by now', async () => {
  const overtaken = [version('1.1.0', { isPresent: true }), version('1.0.0', { isPresent: false })];
  expect(await missing({}, overtaken)).toEqual([
    'was evaluated against 1.0.0, and would take the place of 1.1.0: evaluate it anew',
  ]);
  expect(await missing({}, [])).toEqual([
    'was evaluated against 1.0.0, and would take the place of none: evaluate it anew',
  ]);
  const { against: _, ...unsaid } = passed;
  expect(await missing({ evaluation: unsaid })).toEqual([
    'was evaluated against none, and would take the place of 1.0.0: evaluate it anew',
  ]);
});

it('rests on the config that is kept with the version, and on no other where none is', async () => {
  const config = {
    prompts: [{ prompt: 'Read it.', expected: ['read_file'], forbidden: [] }],
    thresholds: {},
  };
  const other = 'was evaluated by another config than the one that is kept with it';
  const asked = { ...passed.asked, configDigest: evalConfigDigest(config) };
  expect(await missing({ evaluation: { ...passed, asked } })).toEqual([
    'was evaluated by a config that is not kept with it',
  ]);
  expect(await missing({ evalConfig: config })).toEqual([other]);
  expect(await missing({ evalConfig: config, evaluation: { ...passed, asked } })).toEqual([]);
});

it('rests on the data sets that the host has now', async () => {
  const other = 'was evaluated by other data sets than the host has now: evaluate it anew';
  expect(await missing({}, undefined, 'others')).toEqual([other]);
  // An evaluation of before does not say by which.
  const { dataSetsDigest: _, ...asked } = passed.asked;
  expect(await missing({ evaluation: { ...passed, asked } })).toEqual([other]);
});

it('lets nobody approve who has written on it, whoever wrote last', async () => {
  const own = 'was written by ada and grace: somebody else approves it';
  expect(await missing({ authors: ['ada', 'grace'] })).toEqual([own]);
});

it('asks for another number where what was accepted of its changes has run out, or another came before it', async () => {
  const inputSchema = { type: 'object', required: ['path'] };
  const breaking = { content: { ...content, inputSchema } };
  const accepted = (expires: string) => ({
    ...breaking,
    accepted: [
      {
        version: '1.2.0',
        rule: 'input.required.narrower',
        pointer: '/inputSchema',
        reason: 'r',
        approver: 'grace',
        expires,
      },
    ],
  });
  const fault = [expect.stringMatching(/^has a number that will not do: .*Take 2\.0\.0 or higher\.$/)];
  expect(await missing(breaking)).toEqual(fault);
  const unaccepted = expect.stringMatching(
    /^has a number that was not raised for input\.required\.narrower at \/inputSchema \(r\): who approves it accepts that$/,
  );
  expect(await missing(accepted('2026-03-02'))).toEqual([unaccepted]);
  expect(await missing(accepted('2026-03-01'))).toEqual([unaccepted, ...fault]);
  expect(await missing({ ...breaking, origin: 'source' })).toEqual([]);
  // Of an older major it is the one before it that counts, not the newest.
  expect(await missing({}, [version('2.0.0', { ...breaking, isPresent: true }), version('1.0.0')])).toEqual(
    [],
  );
});
