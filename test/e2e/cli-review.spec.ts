import { exitCodes } from '../../src/cli/output.js';
import { runHere } from './command-line.js';
import { fresh, guardsWorld } from './guards-world.js';
import { eachServer } from './server.js';

/** A version is brought to agents, or to its end, by commands of which each prints the next. */

interface Version {
  readonly version: string;
  readonly state: string;
  readonly digest: string;
}

eachServer((server) => {
  const { ask } = guardsWorld(server);
  const tokens = { ada: '', grace: '' };
  beforeAll(async () => {
    const scope = 'catalog:read catalog:write catalog:all-services';
    tokens.ada = await server().token({ sub: 'ada', scope });
    tokens.grace = await server().token({ sub: 'grace', scope: `${scope} catalog:approve` });
  });
  const run = (token: string, ...args: readonly string[]) =>
    runHere(...args, '--url', server().address, '--token', token);
  /** Runs the command that the output names next. */
  const next = (token: string, output: string, ...more: readonly string[]) => {
    const [, command = ''] = /^next: (?:npx )?portal-catalog (.*)$/m.exec(output) ?? [];
    return run(token, ...command.split(' '), ...more);
  };
  const spec = (name: string, version: string) =>
    [
      `name: ${name}`,
      `version: ${version}`,
      'description: Reads part of a text file below the folder of the project, and answers what stands in it. Does not write.',
      'host: files',
      'inputSchema:',
      '  parameters:',
      '    - { name: file_path, description: The path of the file, type: string, required: true }',
      'outputSchema: { type: object, properties: { text: { type: string } }, required: [text] }',
    ].join('\n');
  const evalConfigText = 'prompts:\n  - prompt: read part of a file\n';
  const pushed = async (version: string, name = fresh('read_file')) => {
    const body = { specText: spec(name, version), evalConfigText };
    await ask('POST', '/tools/specs', body, tokens.ada);
    return name;
  };
  const stateOf = async (name: string, version: string) => {
    const { items } = await ask<{ items: { toolId: string }[] }>('GET', `/tools?name=${name}&active=all`);
    return ask<Version>('GET', `/tools/${items[0]?.toolId ?? ''}/versions/${version}`);
  };

  it('leads from a draft to an approval, step by step, with the digest that was read', async () => {
    const name = await pushed('1.0.0');
    const listed = await run(tokens.ada, 'registry', 'waiting', '--tool', name);
    expect(listed.out).toMatch(/1\.0\.0 +draft +\S+ +[0-9a-f]{12}/);
    const submitted = await next(tokens.ada, listed.out);
    expect(submitted.out).toContain(`${name} 1.0.0: in review`);
    const evaluated = await next(tokens.ada, submitted.out);
    expect(evaluated.out).toMatch(/1\.0\.0: passed, \d+ prompts? asked/);
    const own = await next(tokens.ada, evaluated.out);
    expect(own.out).toContain('missing: it was written by ada');
    const waiting = await run(tokens.grace, 'registry', 'waiting', '--tool', name);
    const review = await next(tokens.grace, waiting.out);
    const { digest } = await stateOf(name, '1.0.0');
    expect(review.out).toContain(`digest: ${digest}`);
    expect(review.out).toContain(`registry approve ${name} 1.0.0 --digest ${digest.slice(0, 12)}`);
    const approved = await next(tokens.grace, review.out);
    expect([approved.code, approved.out]).toEqual([
      exitCodes.done,
      expect.stringContaining(`${name} 1.0.0: approved`),
    ]);
    expect((await next(tokens.grace, approved.out)).code).toBe(exitCodes.done);
    expect(await stateOf(name, '1.0.0')).toMatchObject({ state: 'approved' });
    const day = ['--on', '2099-01-01', '--message', 'Take 2.0.0.'];
    const deprecated = await run(tokens.ada, 'registry', 'deprecate', name, '1.0.0', ...day);
    expect(deprecated.out).toContain(`${name} 1.0.0: deprecated`);
    const dry = await next(tokens.ada, deprecated.out);
    expect(dry.out).toContain('would be retired');
    expect(await stateOf(name, '1.0.0')).toMatchObject({ state: 'deprecated' });
    expect((await next(tokens.ada, dry.out)).out).toContain(`${name} 1.0.0: retired`);
    expect(await stateOf(name, '1.0.0')).toMatchObject({ state: 'retired' });
  });

  it('approves nothing that somebody else wrote over since, and nothing without a digest', async () => {
    const name = await pushed('1.0.0');
    await run(tokens.ada, 'registry', 'submit', name, '1.0.0');
    const args = ['registry', 'approve', name, '1.0.0'];
    const wrong = await run(tokens.grace, ...args, '--digest', 'b0b0b0b0b0b0', '--override', 'Looked at.');
    expect([wrong.code, wrong.err]).toEqual([
      exitCodes.refused,
      expect.stringContaining(`registry review ${name} 1.0.0`),
    ]);
    expect((await run(tokens.grace, ...args)).code).toBe(exitCodes.usage);
    expect((await run(tokens.grace, ...args, '--digest', 'b0')).code).toBe(exitCodes.usage);
    const { digest } = await stateOf(name, '1.0.0');
    const own = await run(tokens.ada, ...args, '--digest', digest);
    expect([own.code, own.err]).toEqual([exitCodes.refused, expect.stringContaining('catalog:approve')]);
    const override = ['--digest', digest.slice(0, 8), '--override', 'Looked at by hand.'];
    const json = await run(tokens.grace, ...args, ...override, '--json');
    expect(JSON.parse(json.out)).toMatchObject({ toolVersion: '1.0.0', state: 'approved' });
  });

  it('ends a version by its author, and by who may reject it', async () => {
    const [withdrawn, rejected] = [await pushed('1.0.0'), await pushed('1.0.0')];
    const others = await run(tokens.grace, 'registry', 'withdraw', withdrawn, '1.0.0');
    expect([others.code, others.err]).toEqual([exitCodes.refused, expect.stringContaining('ada wrote')]);
    const { out } = await run(tokens.ada, 'registry', 'withdraw', withdrawn, '1.0.0', '--reason', 'No use.');
    expect(out).toContain(`${withdrawn} 1.0.0: withdrawn`);
    const reason = ['--reason', 'Says nothing.'];
    expect((await run(tokens.ada, 'registry', 'reject', rejected, '1.0.0', ...reason)).code).toBe(
      exitCodes.refused,
    );
    const said = await run(tokens.grace, 'registry', 'reject', rejected, '1.0.0', ...reason);
    expect(said.out).toContain(`${rejected} 1.0.0: rejected`);
    expect(await stateOf(rejected, '1.0.0')).toMatchObject({ state: 'rejected' });
  });

  it('shows with the changes of documents what waits for an approval, its digest and what comes next', async () => {
    const name = await pushed('1.0.0');
    await run(tokens.ada, 'registry', 'submit', name, '1.0.0');
    const { digest } = await stateOf(name, '1.0.0');
    const waiting = await run(tokens.grace, 'registry', 'waiting', '--tool', name, '--json');
    expect(JSON.parse(waiting.out)).toMatchObject({
      items: [
        { tool: name, version: '1.0.0', digest, next: expect.stringContaining('registry review') as string },
      ],
    });
    const changes = await run(tokens.grace, 'changes', 'list', '--json');
    expect(JSON.parse(changes.out)).toHaveProperty('waiting');
  });
});
