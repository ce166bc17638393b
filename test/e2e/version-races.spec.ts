import { eachServer } from './server.js';
import { fresh, guardsWorld } from './guards-world.js';

/** What is asked of one version at the same time: one answer holds, and what agents are given is what was reviewed. */

interface Version {
  readonly state: string;
  readonly digest: string;
  readonly specText: string | null;
  readonly isPresent: boolean;
  readonly evaluation: { readonly digest: string; readonly against: string | null } | null;
}
interface Logged {
  readonly type: string;
  readonly subject: string;
  readonly data: {
    readonly version?: string;
    readonly digest?: string;
    readonly evaluation?: { readonly digest: string; readonly against?: string | null } | null;
  };
}
interface Given {
  readonly version: string;
  readonly description: string;
}

const ROUNDS = 8;

eachServer((server) => {
  const { ask, agentWith, catalogOf } = guardsWorld(server);
  const tokens = { author: '', reviewer: '', other: '' };
  beforeAll(async () => {
    const scope = 'catalog:read catalog:write catalog:approve catalog:all-services';
    for (const [who, sub] of [
      ['author', 'ada'],
      ['reviewer', 'grace'],
      ['other', 'joan'],
    ] as const)
      tokens[who] = await server().token({ sub, scope });
  });

  const spec = (name: string, version: string, part: string) =>
    `version: ${version}\nname: ${name}\ndescription: Reads ${part} of the ${name}. Use it when its path is known.\n` +
    `annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false }\n` +
    `inputSchema:\n  parameters:\n    - { name: path, description: Where it is., type: string }\n`;
  /** `200`, or what it is refused with. */
  const send = async (
    who: keyof typeof tokens,
    method: string,
    path: string,
    body: object = {},
  ): Promise<string> => {
    const { status, body: answer } = await server().api<{ code?: string }>(method, path, {
      ...{ body, token: tokens[who] },
    });
    return answer.code ?? (status < 300 ? 'done' : String(status));
  };
  const push = (name: string, version: string, part = 'a part') =>
    send('author', 'POST', '/tools/specs', {
      specText: spec(name, version, part),
      evalConfigText: `prompts: [{ prompt: read the ${name} }]\n`,
    });
  /** A tool with a version that agents are given, and later ones in review or draft, each evaluated. */
  const made = async (versions: readonly string[], submit = true) => {
    const name = fresh('read_shelf_');
    const inputSchema = {
      type: 'object',
      properties: { path: { type: 'string', description: 'Where it is.' } },
      additionalProperties: false,
    };
    const body = { name, implementationType: 'python', description: 'Reads it.', inputSchema };
    const { id } = await ask<{ id: string }>('POST', '/tools', body, tokens.author);
    for (const version of versions) {
      expect(await push(name, version)).toBe('done');
      await ask('POST', `/tools/${id}/versions/${version}/evaluate`, {}, tokens.author);
      if (submit) await ask('POST', `/tools/${id}/versions/${version}/submit`, {}, tokens.author);
    }
    const at = (version: string) => `/tools/${id}/versions/${version}`;
    const read = await Promise.all(versions.map((version) => ask<Version>('GET', at(version))));
    const digestOf = Object.fromEntries(read.map(({ digest }, index) => [at(versions[index] ?? ''), digest]));
    return { name, id, at, digestOf };
  };
  /** What the log has of a tool, in its order. */
  const logged = async (toolId: string): Promise<readonly Logged[]> => {
    const found: Logged[] = [];
    let after: string | undefined = '0';
    while (after !== undefined) {
      const page: { items: Logged[]; nextCursor?: string } = await ask(
        'GET',
        `/streams/Tool/${toolId}?limit=500${after === '0' ? '' : `&after=${after}`}`,
      );
      found.push(...page.items);
      after = page.nextCursor;
    }
    return found;
  };
  const typesOf = (log: readonly Logged[], version: string) =>
    log
      .filter(({ data }) => data.version === version)
      .flatMap(({ type }) => /^ToolVersion(\w+)Event$/.exec(type)?.[1] ?? []);

  const eachRound = async (round: (place: number) => Promise<void>) => {
    for (let place = 0; place < ROUNDS; place += 1) await round(place);
  };
  const approve = (who: 'reviewer' | 'other', at: string, digest: string | undefined) =>
    send(who, 'POST', `${at}/approve`, { digest });
  const givenTo = async (agent: string) => (await catalogOf(agent)).given as unknown as readonly Given[];

  it('approves what was evaluated and looked at, whatever is pushed meanwhile', async () => {
    await eachRound(async (place) => {
      const { name, id, at, digestOf } = await made(['1.1.0'], false);
      const path = at('1.1.0');
      const digest = digestOf[path];
      const review = async () => {
        const submitted = await send('author', 'POST', `${path}/submit`);
        const read = place % 2 === 0 ? digest : (await ask<Version>('GET', path)).digest;
        return [submitted, await approve('reviewer', path, read)];
      };
      const write = () =>
        Promise.all([
          push(name, '1.1.0', 'the whole'),
          send('author', 'POST', `${path}/evaluate`),
          push(name, '1.1.0', 'the middle'),
        ]);
      // Whichever is sent first is mostly decided first.
      const written = place % 4 < 2 ? undefined : write();
      const [reviewed] = await Promise.all([review(), written ?? write()]);
      const known = await ask<Version>('GET', path);
      const log = (await logged(id)).filter(({ data }) => data.version === '1.1.0');
      const approval = log.find(({ type }) => type === 'ToolVersionApprovedEvent');
      const isApproved = reviewed[1] === 'done';
      expect([reviewed, known.state]).toEqual([
        ['done', isApproved ? 'done' : expect.stringMatching(/^(evaluation_needed|version_changed)$/)],
        isApproved ? 'approved' : 'in_review',
      ]);
      if (isApproved) {
        const digests = [approval?.data.digest, approval?.data.evaluation?.digest, known.evaluation?.digest];
        expect(digests).toEqual(Array(3).fill(known.digest));
        if (place % 2 === 0) expect(known.digest).toBe(digest);
        expect(typesOf(log, '1.1.0').slice(-1)).toEqual(['Approved']);
      } else expect(approval).toBeUndefined();
      // Once it is submitted nothing is written over.
      const types = typesOf(log, '1.1.0');
      expect(types.lastIndexOf('Drafted')).toBeLessThan(types.indexOf('Submitted'));
    });
  });

  it('approves once, and for one of two reviewers', async () => {
    await eachRound(async () => {
      const { id, at, digestOf } = await made(['1.1.0']);
      const asked = (['reviewer', 'other', 'reviewer', 'other'] as const).map((who) =>
        approve(who, at('1.1.0'), digestOf[at('1.1.0')]),
      );
      expect((await Promise.all(asked)).sort()).toEqual(['done', ...Array<string>(3).fill('version_state')]);
      expect(typesOf(await logged(id), '1.1.0').slice(-1)).toEqual(['Approved']);
      expect(typesOf(await logged(id), '1.1.0').filter((type) => type === 'Approved')).toHaveLength(1);
    });
  });

  it('follows the first of two reviewers who decide otherwise', async () => {
    await eachRound(async (place) => {
      const { id, at, digestOf } = await made(['1.1.0']);
      const agent = await agentWith([id]);
      const decide = [
        () => approve('reviewer', at('1.1.0'), digestOf[at('1.1.0')]),
        () => send('other', 'POST', `${at('1.1.0')}/reject`, { reason: 'Not needed.' }),
      ];
      const order = place % 2 === 0 ? decide : decide.reverse();
      const answers = await Promise.all(order.map((each) => each()));
      expect([...answers].sort()).toEqual(['done', 'version_state']);
      const { state } = await ask<Version>('GET', at('1.1.0'));
      const isApproved = answers[place % 2] === 'done';
      expect([state, (await givenTo(agent)).map(({ version }) => version)]).toEqual([
        isApproved ? 'approved' : 'rejected',
        [isApproved ? '1.1.0' : '1.0.0'],
      ]);
    });
  });

  it('approves no version in the place of another than the one that it was evaluated against', async () => {
    await eachRound(async (place) => {
      const { id, at, digestOf } = await made(['1.1.0', '1.2.0']);
      const order = place % 2 === 0 ? ['1.1.0', '1.2.0'] : ['1.2.0', '1.1.0'];
      const answers = await Promise.all(
        order.map((version) => approve('reviewer', at(version), digestOf[at(version)])),
      );
      expect(answers).toContain('done');
      const live = ['1.0.0'];
      for (const { type, data } of await logged(id)) {
        if (type !== 'ToolVersionApprovedEvent' || data.version === '1.0.0') continue;
        expect([data.version, data.evaluation?.against]).toEqual([data.version, live.sort().at(-1)]);
        live.push(data.version ?? '');
      }
    });
  });

  it('leaves no link at a version that is retired at the same moment', async () => {
    await eachRound(async (place) => {
      const { id, at, digestOf } = await made(['1.1.0']);
      expect(await approve('reviewer', at('1.1.0'), digestOf[at('1.1.0')])).toBe('done');
      const skills = await Promise.all(
        [1, 2, 3].map(() =>
          ask<{ id: string }>('POST', '/skills', { name: fresh('Shelf '), contentMarkdown: 'x' }),
        ),
      );
      const links = skills.map(
        (skill) => () =>
          send('author', 'PUT', `/skills/${skill.id}/tools/${id}`, {
            range: place % 2 === 0 ? '1.1.0' : '~1.1',
          }),
      );
      const retire = () => send('author', 'POST', `${at('1.1.0')}/retire`);
      const order = [...links.slice(0, place % 4), retire, ...links.slice(place % 4)];
      const answers = await Promise.all(order.map((each) => each()));
      const [retired] = answers.splice(place % 4, 1);
      expect(answers).toEqual(Array(3).fill(retired === 'done' ? 'version_retired' : 'done'));
      expect(['done', 'version_pinned']).toContain(retired);
      expect(await ask<Version>('GET', at('1.1.0'))).toMatchObject({
        state: retired === 'done' ? 'retired' : 'approved',
      });
    });
  });

  it('ends what is deprecated and retired at once as retired', async () => {
    await eachRound(async (place) => {
      const { id, at, digestOf } = await made(['1.1.0']);
      expect(await approve('reviewer', at('1.1.0'), digestOf[at('1.1.0')])).toBe('done');
      const asked = [
        () =>
          send('author', 'POST', `${at('1.1.0')}/deprecate`, { on: '2099-01-01', message: 'Take 2.0.0.' }),
        () => send('author', 'POST', `${at('1.1.0')}/retire`),
        () => send('other', 'POST', `${at('1.1.0')}/retire`),
      ];
      const order = place % 2 === 0 ? asked : asked.reverse();
      const answers = await Promise.all(order.map((each) => each()));
      if (place % 2 === 1) answers.reverse();
      const [deprecated, ...retired] = answers;
      expect(retired.sort()).toEqual(['done', 'version_state']);
      const types = typesOf(await logged(id), '1.1.0');
      expect(types.slice(types.indexOf('Approved'))).toEqual(
        deprecated === 'done' ? ['Approved', 'Deprecated', 'Retired'] : ['Approved', 'Retired'],
      );
      expect(await ask<Version>('GET', at('1.0.0'))).toMatchObject({ isPresent: true });
    });
  });

  it('keeps guards that are raised while a version is approved', async () => {
    await eachRound(async (place) => {
      const { id, at, digestOf } = await made(['1.1.0']);
      const agent = await agentWith([id]);
      const asked = [
        () => approve('reviewer', at('1.1.0'), digestOf[at('1.1.0')]),
        () => send('author', 'PATCH', `/tools/${id}`, { routing: { sensitivityTier: 'restricted' } }),
      ];
      const answers = await Promise.all((place % 2 === 0 ? asked : asked.reverse()).map((each) => each()));
      expect(answers).toContain('done');
      const tool = await ask<{ toolMetadata: { routing: object } }>('GET', `/tools/${id}`);
      expect(tool.toolMetadata.routing).toMatchObject({ sensitivityTier: 'restricted' });
      const given = (await givenTo(agent)) as unknown as readonly object[];
      expect(given).toMatchObject([{ routingMetadata: { sensitivityTier: 'restricted' } }]);
    });
  });
});
