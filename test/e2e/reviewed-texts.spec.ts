import { fresh, guardsWorld, openapi, override, poison } from './guards-world.js';
import { eachServer } from './server.js';

/** What stands beside or in place of the texts of a tool, which somebody has reviewed. */
eachServer((server) => {
  const { ask, refusal, bring, toolOf } = guardsWorld(server);
  const tokens = { writer: '', reviewer: '' };
  beforeAll(async () => {
    const scope = 'catalog:read catalog:write catalog:all-services';
    tokens.writer = await server().token({ sub: 'carol', scope });
    tokens.reviewer = await server().token({ sub: 'bob', scope: `${scope} catalog:approve` });
  });

  /** A tool that came as a spec and is approved, in a skill. */
  const reviewed = async () => {
    const name = fresh('reader');
    const specText = `version: 1.0.0\nname: ${name}\ndescription: Reads a file.\nhost: shop\ninputSchema: { type: object }\n`;
    const { id } = await ask<{ id: string }>('POST', '/tools/specs', { specText }, tokens.writer);
    const version = `/tools/${id}/versions/1.0.0`;
    await ask('POST', `${version}/submit`, {}, tokens.writer);
    const { digest } = await ask<{ digest: string }>('GET', version);
    await ask('POST', `${version}/approve`, { ...override, digest }, tokens.reviewer);
    return linked(id);
  };
  const linked = async (toolId: string) => {
    const skill = await ask<{ id: string }>('POST', '/skills', {
      name: fresh('skill'),
      contentMarkdown: 'x',
    });
    return { id: toolId, link: `/skills/${skill.id}/tools/${toolId}` };
  };
  const forbidden = [403, 'insufficient_scope'];

  it('waits with every change of its texts, whatever the host approves by itself', async () => {
    const { id } = await reviewed();
    const answer = await ask('PATCH', `/tools/${id}`, { description: 'Reads one file.' }, tokens.writer);
    expect(answer).toMatchObject({ toolVersion: '1.0.0', inReview: '1.0.1' });
    expect(await ask('GET', `/tools/${id}`)).toMatchObject({
      version: '1.0.0',
      description: 'Reads a file.',
    });
  });

  it('takes words of a link and example prompts from who may approve, and no others', async () => {
    const { id, link } = await reviewed();
    const config = { description: 'Reads it all.', examples: ['read it all'] };
    for (const part of [{ description: config.description }, { examples: config.examples }])
      expect(await refusal('PUT', link, { config: part }, tokens.writer)).toEqual(forbidden);
    const lesson = { items: [{ toolId: id, prompts: ['read it'] }] };
    expect(await refusal('POST', '/tools/examples', lesson, tokens.writer)).toEqual(forbidden);
    expect(await refusal('PATCH', `/tools/${id}`, { examplePrompts: ['read'] }, tokens.writer)).toEqual(
      forbidden,
    );
    await ask('PUT', link, { config }, tokens.reviewer);
    await ask('POST', '/tools/examples', lesson, tokens.reviewer);
    // What is there already, and less of it, is nothing new.
    await ask('PUT', link, { config: { ...config, priority: 2 } }, tokens.writer);
    await ask('PUT', link, { config: { description: config.description } }, tokens.writer);
  });

  it('of a tool that nobody reviews they are free, but for those that address the model', async () => {
    const apiId = fresh('files');
    await bring(apiId, openapi({ [fresh('read')]: {} }), { publish: true });
    const { link } = await linked((await toolOf(apiId)).toolId);
    await ask('PUT', link, { config: { description: 'Reads it all.' } }, tokens.writer);
    for (const config of [{ description: poison }, { examples: [poison] }, { notes: poison }])
      expect(await refusal('PUT', link, { config }, tokens.writer)).toEqual(forbidden);
    await ask('PUT', link, { config: { description: poison } });
    await ask('PUT', link, { config: { notes: poison } });
    // What an administrator has let in stays when somebody else changes the rest.
    await ask('PUT', link, { config: { notes: poison, priority: 3 } }, tokens.writer);
  });

  it('of a tool of which nothing is approved they are for who may approve: no digest covers them', async () => {
    const poisoned = fresh('files');
    await bring(poisoned, openapi({ [fresh('read')]: { description: poison } }), { publish: true });
    await ask('PUT', '/settings', { autoApprove: false });
    const waiting = fresh('files');
    await bring(waiting, openapi({ [fresh('read')]: {} }), { publish: true });
    await ask('PUT', '/settings', { autoApprove: true });
    for (const apiId of [poisoned, waiting]) {
      const { id, link } = await linked((await toolOf(apiId)).toolId);
      const lesson = { items: [{ toolId: id, prompts: ['read it'] }] };
      expect(await refusal('POST', '/tools/examples', lesson, tokens.writer)).toEqual(forbidden);
      expect(await refusal('PATCH', `/tools/${id}`, { examplePrompts: ['read'] }, tokens.writer)).toEqual(
        forbidden,
      );
      expect(await refusal('PUT', link, { config: { description: 'Reads it all.' } }, tokens.writer)).toEqual(
        forbidden,
      );
      await ask('POST', '/tools/examples', lesson, tokens.reviewer);
      await ask('PUT', link, { config: { description: 'Reads it all.' } }, tokens.reviewer);
    }
  });
});
