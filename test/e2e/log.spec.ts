import { hostId } from './server.js';
import { OwnServer } from './own-server.js';

describe('the log', () => {
  it('holds requests by path and id, and neither tokens nor queries nor bodies', async () => {
    const server = await OwnServer.start('embedded', { LOG_LEVEL: 'trace' });
    const token = await server.token();
    const body = { name: 'secretive', contentMarkdown: 'a-word-of-the-body' };
    await server.api('POST', '/skills?q=a-word-of-the-query', {
      token,
      body,
      headers: { 'x-request-id': 'trace-me' },
    });
    await server.api('POST', '/skills', { token, body, headers: { 'x-request-id': 'trace-me-too' } });
    await server.api('GET', '/skills', { token: 'not.a.token-at-all' });
    await server.stop();
    const logged = server.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          requestId: 'trace-me',
          method: 'POST',
          path: `/v1/hosts/${hostId}/skills`,
          status: 400,
        }),
        expect.objectContaining({ requestId: 'trace-me-too', status: 201 }),
      ]),
    );
    for (const word of [token, token.split('.')[1] ?? '', 'token-at-all', 'a-word-of-the'])
      expect(server.logged.join('')).not.toContain(word);
  });
});
