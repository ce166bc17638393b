import { RefreshTool } from '../tool/tool.commands.js';
import { toolDecider } from '../tool/tool.decider.js';
import type { ToolState } from '../tool/tool.state.js';
import { ApproveToolVersion, DraftToolVersion, SubmitToolVersion } from './version.commands.js';

const [host, id, version] = [
  '0198c0de-0000-7000-8000-000000000001',
  '0198c0de-0000-7000-8000-00000000c001',
  '2.0.0',
];
const safety = { readOnly: true, idempotent: true, destructive: false, humanApprovalRequired: false };
const words = { description: 'Lists.', routing: {}, safety, lifecycleStatus: 'active' } as const;
const invocation = { inputSchema: { type: 'object' }, sourceProtocol: null, capabilityRef: null };

it('keeps a guard that got stricter in force where a version from before is approved', () => {
  const destructive = { ...words, safety: { ...safety, readOnly: false, destructive: true } };
  const source = { endpointActive: true, words: destructive, invocation, taken: [], autoApprove: true };
  const names = {
    endpointId: 'e',
    apiVersionId: 'v',
    apiId: 'a',
    serviceId: 's',
    envTag: null,
    name: 'list',
  };
  const data = { ...names, version: '1.0.0', words, invocation, change: null };
  const commands = [
    new DraftToolVersion(host, id, {
      version,
      content: { words, invocation, outputSchema: null },
      specText: null,
    }),
    new SubmitToolVersion(host, id, { version }),
    new RefreshTool(host, id, { ...source, kept: { before: {}, after: {} } }),
    new ApproveToolVersion(host, id, { version, digest: 'd', evaluation: null, override: { reason: 'r' } }),
  ];
  const published = toolDecider.evolve(toolDecider.initial, { type: 'ToolPublishedEvent', data });
  const after = commands.reduce<ToolState>(
    (state, command) =>
      toolDecider.decide(command, state).reduce((now, event) => toolDecider.evolve(now, event), state),
    published,
  );
  expect(after).toMatchObject({ version, words: { safety: destructive.safety } });
});
