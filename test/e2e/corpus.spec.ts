import { describeWithCorpus, samplesOfCorpus } from '../import-laws.js';
import { eachServer } from './server.js';

interface Report {
  readonly format: string;
  readonly total: number;
  readonly added: number;
  readonly unchanged: number;
  readonly position: number;
}

describeWithCorpus('the corpus', () => {
  eachServer((server) => {
    it.each(samplesOfCorpus())('$name is imported whole, and only once', async (sample) => {
      const { name, format, document, operations } = sample;
      const version = { apiVersion: '1', serviceId: 'orders', envTag: 'dev' };
      const body = { api: { apiId: name.replaceAll('/', '-') }, version, document };
      const bring = () => server().api<Report>('POST', '/imports', { body });
      const first = await bring();
      expect(first.status).toBe(200);
      const { total, position } = first.body;
      expect(first.body).toMatchObject({ format, total: operations ?? total, added: total });
      const again = await bring();
      expect(again.body).toMatchObject({ added: 0, changed: 0, unchanged: total, position });
    });

    it('an alias that contains itself is refused', async () => {
      const body = {
        api: { apiId: 'alias' },
        version: { apiVersion: '1', serviceId: 'orders', envTag: 'dev' },
        document: 'openapi: 3.1.0\ninfo: &a { title: A, x-bye: *a }\npaths: {}\n',
      };
      const refused = await server().api<{ code: string }>('POST', '/imports', { body });
      expect([refused.status, refused.body.code]).toEqual([400, 'document_contains_itself']);
    });
  });
});
