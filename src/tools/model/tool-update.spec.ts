import { CreateTool, PublishTool, RefreshTool, type ToolCommand, UpdateTool } from './tool.commands.js';
import { toolDecider } from './tool.decider.js';
import type { ToolEvent } from './tool.events.js';
import { type KnownTool, type ToolState, unknownTool } from './tool.state.js';
import {
  ApproveToolVersion,
  DraftToolVersion,
  RetireToolVersion,
  SubmitToolVersion,
} from './version.commands.js';

const [host, id] = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-00000000c001'] as const;
const safety = { readOnly: true, idempotent: true, destructive: false, humanApprovalRequired: false };
const words = { description: 'Lists.', routing: {}, safety, lifecycleStatus: 'active' } as const;
const invocation = { inputSchema: { type: 'object' }, sourceProtocol: null, capabilityRef: null };
const breaking = {
  ...invocation,
  inputSchema: { type: 'object', properties: { day: {} }, required: ['day'] },
};
const ends = { endpointId: 'e', apiVersionId: 'v', apiId: 'a', serviceId: 's', envTag: null, name: 'list' };

const publishing = (autoApprove = true) =>
  new PublishTool(host, id, { ...ends, words, invocation, change: null, autoApprove });
const script = new CreateTool(host, id, {
  ...{ name: 'list', words, invocation, outputSchema: null, scriptContent: null },
  ...{ implementationType: 'python', implementationClass: null, taken: [], autoApprove: true },
});
const saying = (overrides: UpdateTool['payload']['overrides'], more: Partial<UpdateTool['payload']> = {}) =>
  new UpdateTool(host, id, { overrides, taken: [], autoApprove: false, ...more });
const refreshing = (said: Partial<RefreshTool['payload']>) =>
  new RefreshTool(host, id, {
    ...{ endpointActive: true, words, invocation, taken: [], autoApprove: true },
    ...{ kept: { before: {}, after: {} }, ...said },
  });
const approval = { digest: 'd', evaluation: null, override: { reason: 'r' }, guards: [], taken: [] };
const reviewed = (version: string) => [
  new DraftToolVersion(host, id, {
    version,
    content: { words, invocation, outputSchema: null },
    specText: null,
  }),
  new SubmitToolVersion(host, id, { version }),
  new ApproveToolVersion(host, id, { version, ...approval }),
];
const retiring = (version: string) => new RetireToolVersion(host, id, { version, reason: 'r', keptBy: [] });

/** The tool after these commands, and what the last of them made. */
function tried(...commands: readonly ToolCommand[]): KnownTool & { readonly last: readonly ToolEvent[] } {
  let [state, last]: [ToolState, readonly ToolEvent[]] = [unknownTool, []];
  for (const command of commands) {
    last = toolDecider.decide(command, state);
    state = last.reduce<ToolState>((now, event) => toolDecider.evolve(now, event), state);
  }
  if (state.status === 'unknown') throw new Error('There is no tool.');
  return { ...state, last };
}

const drafted = (events: readonly ToolEvent[]) =>
  events.flatMap((event) => (event.type === 'ToolVersionDraftedEvent' ? event.data : []));

describe('what an operator writes and what waits', () => {
  const saying = (overrides: UpdateTool['payload']['overrides']) =>
    new UpdateTool(host, id, { overrides, taken: [], autoApprove: false });

  it('stays where the next change leaves it out', () => {
    const both = tried(
      publishing(),
      saying({ description: 'Mine.' }),
      saying({ routing: { intents: ['read'] } }),
    );
    expect(both).toMatchObject({
      overrides: {},
      versions: {
        '1.0.1': { state: 'rejected' },
        '1.0.2': { content: { overrides: { description: 'Mine.', routing: { intents: ['read'] } } } },
      },
    });
  });

  it('waits no more once it is taken back', () => {
    const back = tried(publishing(), saying({ description: 'Mine.' }), saying({ description: null }));
    expect(back).toMatchObject({ overrides: {}, versions: { '1.0.1': { state: 'rejected' } } });
    expect(Object.keys(back.versions)).toEqual(['1.0.0', '1.0.1']);
  });

  it('goes back alone where the document brings a change that waits too', () => {
    const breaks = refreshing({ invocation: breaking, autoApprove: false });
    const back = tried(publishing(), saying({ description: 'Mine.' }), breaks, saying({ description: null }));
    expect(back.versions['2.0.1']).toMatchObject({
      state: 'in_review',
      content: { invocation: breaking },
    });
    expect(back.versions['2.0.1']?.content).not.toHaveProperty('overrides');
  });

  it('waits no more once it is taken back from a tool whose versions are all retired', () => {
    const back = tried(
      publishing(),
      saying({ description: 'Mine.' }),
      retiring('1.0.0'),
      saying({ description: null }),
    );
    expect(back).toMatchObject({ approved: false, versions: { '1.0.1': { state: 'rejected' } } });
    expect(Object.keys(back.versions)).toEqual(['1.0.0', '1.0.1']);
  });

  it('is let in by a person, whatever the host approves by itself', () => {
    const harmless = refreshing({ words: { ...words, description: 'Lists all.' } });
    const waits = tried(publishing(false), saying({ description: 'Mine.' }), harmless);
    expect(waits).toMatchObject({ approved: false, overrides: {} });
    expect(drafted(waits.last)).toMatchObject([{ content: { overrides: { description: 'Mine.' } } }]);
  });

  it('stays with its number where the endpoint brings nothing', () => {
    const idle = refreshing({});
    for (const first of [[publishing(false)], [publishing(), retiring('1.0.0')]])
      expect(tried(...first, saying({ description: 'Mine.' }), idle).last).toEqual([]);
  });

  it('differs by words alone from what the endpoint answers by then', () => {
    const [name, count] = [{ type: 'string' }, { type: 'number' }];
    const answers = (before: object | undefined, outputSchema: object) =>
      refreshing({
        kept: {
          before: before === undefined ? {} : { outputSchema: { ...before } },
          after: { outputSchema: { ...outputSchema } },
        },
      });
    const waits = tried(
      ...[publishing(), answers(undefined, name), answers(name, count)],
      ...[saying({ description: 'Mine.' }), answers(count, { ...name, title: 'Name' })],
    );
    expect(drafted(waits.last)).toMatchObject([{ content: { outputSchema: null } }]);
  });

  it('keeps the number of a breaking change that waits with it, also where all before is retired', () => {
    const breaks = refreshing({ invocation: breaking });
    const guards = saying({ safety: { humanApprovalRequired: true } });
    expect(Object.keys(tried(publishing(), breaks, retiring('1.0.0'), guards).versions)).toEqual([
      ...['1.0.0', '2.0.0', '2.0.1'],
    ]);
  });
});

describe('who wrote words that wait', () => {
  const described = { type: 'object', description: 'Nothing.' };
  const compatible = { type: 'object', properties: { day: {} } };

  it.each([
    ['a schema that waits, and a guard', { inputSchema: described }, { humanApprovalRequired: true }, false],
    [
      'a schema and a guard in force at once',
      { inputSchema: compatible },
      { humanApprovalRequired: true },
      true,
    ],
  ])('is an author where a change brings %s', (_, schemas, guards, autoApprove) => {
    const { last } = tried(
      ...[script, saying({ description: 'Mine.' })],
      saying({ safety: guards }, { schemas, autoApprove }),
    );
    expect(drafted(last)).toMatchObject([{ continues: ['1.0.1'] }]);
  });

  it('is an author where the source changes after a newer version was approved', () => {
    const says = refreshing({ words: { ...words, description: 'Lists all.' }, autoApprove: false });
    const { last } = tried(publishing(), saying({ description: 'Mine.' }), ...reviewed('1.1.0'), says);
    expect(drafted(last)).toMatchObject([
      { content: { overrides: { description: 'Mine.' } }, continues: ['1.0.1'] },
    ]);
  });
});
