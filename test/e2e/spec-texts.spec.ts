import { eachServer } from './server.js';
import { fresh, guardsWorld, override } from './guards-world.js';

/** What a spec says to people: its title, its owner, and the prompts that should lead to it. */

interface Shown {
  readonly version: string;
  readonly title: string | null;
  readonly owner: string | null;
}

eachServer((server) => {
  const { ask, approve, agentWith } = guardsWorld(server);
  const tokens = { author: '', reviewer: '' };
  beforeAll(async () => {
    const scope = 'catalog:write catalog:approve catalog:all-services';
    tokens.author = await server().token({ sub: 'ada', scope });
    tokens.reviewer = await server().token({ sub: 'grace', scope });
  });

  const spec = (name: string, version: string, title: string, owner: string) =>
    [
      ...[`name: ${name}`, `version: ${version}`, `title: ${title}`, `owner: ${owner}`],
      ...['description: Reads part of a file.', 'inputSchema: { type: object }', 'examples:'],
      ...[`  - prompt: peruse the ${name} parchment`, '    arguments: {}', ''],
    ].join('\n');
  const push = (specText: string) =>
    ask<{ id: string; toolVersion: string }>('POST', '/tools/specs', { specText }, tokens.author);
  const published = async (specText: string) => {
    const { id, toolVersion } = await push(specText);
    const path = `/tools/${id}/versions/${toolVersion}`;
    await ask('POST', `${path}/submit`, {}, tokens.author);
    await approve(`${path}/approve`, override, tokens.reviewer);
    return id;
  };
  const shown = (id: string, token?: string) => ask<Shown>('GET', `/tools/${id}`, undefined, token);
  const listed = async (q: string, token?: string) => {
    const { items } = await ask<{ items: Shown[] }>(
      'GET',
      `/tools?q=${encodeURIComponent(q)}`,
      undefined,
      token,
    );
    return items.map(({ title, owner }) => [title, owner]);
  };

  it('stands in answers and lists of the version that agents are given, and people find the tool by it', async () => {
    const [name, owner] = [fresh('read_part'), fresh('scribes')];
    const id = await published(spec(name, '1.0.0', 'Part of a file', owner));
    expect(await shown(id)).toMatchObject({
      ...{ title: 'Part of a file', owner },
      specExamples: [{ prompt: `peruse the ${name} parchment`, arguments: {} }],
    });
    expect(await listed(owner)).toEqual([['Part of a file', owner]]);
    expect(await listed(`peruse the ${name}`)).toEqual([['Part of a file', owner]]);
    // Words of the JSON that it is kept as are nobody's.
    expect(await listed('"prompt":')).toEqual([]);
  });

  it('is that of a draft once the draft is approved, and no sooner', async () => {
    const [name, owner] = [fresh('read_part'), fresh('scribes')];
    const id = await published(spec(name, '1.0.0', 'Old', owner));
    await push(spec(name, '1.0.1', 'New', owner));
    expect(await shown(id)).toMatchObject({ version: '1.0.0', title: 'Old' });
    const path = `/tools/${id}/versions/1.0.1`;
    await ask('POST', `${path}/submit`, {}, tokens.author);
    await approve(`${path}/approve`, override, tokens.reviewer);
    expect(await shown(id)).toMatchObject({ version: '1.0.1', title: 'New' });
  });

  it('stays where an operator changes the tool, and where a version is written without a spec', async () => {
    const [name, owner] = [fresh('read_part'), fresh('scribes')];
    const id = await published(spec(name, '1.0.0', 'Part of a file', owner));
    await ask('PATCH', `/tools/${id}`, { description: 'Reads a part of a file.' }, tokens.author);
    const changed = `/tools/${id}/versions/1.0.1`;
    await approve(`${changed}/approve`, override, tokens.reviewer);
    expect(await shown(id)).toMatchObject({ version: '1.0.1', title: 'Part of a file', owner });
    const body = {
      version: '1.0.2',
      description: 'Reads one part of a file.',
      inputSchema: { type: 'object' },
    };
    await ask('POST', `/tools/${id}/versions`, body, tokens.author);
    const written = await ask<{ title: string; owner: string }>('GET', `/tools/${id}/versions/1.0.2`);
    expect(written).toMatchObject({ title: 'Part of a file', owner });
  });

  it('is shown to who reviews it', async () => {
    const [name, owner] = [fresh('read_part'), fresh('scribes')];
    const id = await published(spec(name, '1.0.0', 'Old', owner));
    await push(spec(name, '1.0.1', 'New', 'writers').replace('peruse', 'read'));
    const { texts } = await ask<{ texts: object[] }>('GET', `/tools/${id}/versions/1.0.1/report`);
    expect(texts).toEqual([
      { pointer: '/title', before: 'Old', after: 'New' },
      { pointer: '/owner', before: owner, after: 'writers' },
      {
        pointer: '/examples/0/prompt',
        before: `peruse the ${name} parchment`,
        after: `read the ${name} parchment`,
      },
    ]);
  });

  it('of a version without a spec is that of the last approved one, whatever drafts say', async () => {
    const [name, owner] = [fresh('read_part'), fresh('scribes')];
    const id = await published(spec(name, '1.0.0', 'Approved', owner));
    // An operator's version has none of its own.
    await ask('PATCH', `/tools/${id}`, { description: 'Reads a part of a file.' }, tokens.author);
    await approve(`/tools/${id}/versions/1.0.1/approve`, override, tokens.reviewer);
    await push(spec(name, '1.0.2', 'Draft', owner));
    const body = {
      version: '1.0.3',
      description: 'Reads one part of a file.',
      inputSchema: { type: 'object' },
    };
    await ask('POST', `/tools/${id}/versions`, body, tokens.author);
    const versions = `/tools/${id}/versions/1.0.3`;
    expect(await ask('GET', versions)).toMatchObject({ title: 'Approved' });
    const { texts } = await ask<{ texts: { pointer: string }[] }>('GET', `${versions}/report`);
    expect(texts.map(({ pointer }) => pointer)).not.toContain('/title');
  });

  it('is for people: an agent’s token is shown none of it, and finds nothing by it', async () => {
    const [name, owner] = [fresh('read_part'), fresh('scribes')];
    const id = await published(spec(name, '1.0.0', 'Part of a file', owner));
    const token = await server().token({
      sid: 'desk',
      scope: 'catalog:read',
      agent_def_id: await agentWith([id]),
    });
    expect(await shown(id, token)).toMatchObject({ title: null, owner: null, specExamples: [] });
    expect(await listed(owner, token)).toEqual([]);
    const { items } = await ask<{ items: object[] }>(
      'POST',
      '/search',
      { prompt: `peruse the parchment of ${owner}` },
      token,
    );
    expect(JSON.stringify(items)).not.toContain(owner);
  });
});
