import { EmbeddingEndpoint, type EmbeddingCall } from '../../test/embedding-endpoint.js';
import { until } from '../../test/until.js';
import { importBank } from '../../test/e2e/embedded-bank.js';
import { settled, type Progress } from '../../test/e2e/embedding-progress.js';
import { newHome, type Home } from '../../test/e2e/home.js';
import { ServiceProcess } from '../../test/system/service-process.js';

interface Answer {
  readonly items: readonly { name: string; keywordScore: number; vectorScore: number | null }[];
  readonly degraded?: readonly string[];
}

/** Tools beside the three of the bank; tool and endpoint of each have a text. */
const more = 13;
const texts = 2 * (3 + more);
const batch = 8;

/** Texts of the catalog that a model was asked for; prompts come one by one and are none of them. */
const askedOf = (model: string, calls: readonly EmbeddingCall[]): string[] =>
  calls.filter((call) => call.model === model && call.input.length > 1).flatMap(({ input }) => input);

describe('a new model', () => {
  let home: Home;
  let endpoint: EmbeddingEndpoint;
  let service: ServiceProcess;
  let token = '';
  beforeAll(async () => {
    home = await newHome('embedded');
    endpoint = await EmbeddingEndpoint.start();
  });
  afterAll(async () => {
    await service.stop('SIGKILL');
    await endpoint.stop();
    await home.raze();
  });

  const start = async (model: string): Promise<void> => {
    service = await ServiceProcess.start(home, {
      EMBEDDING_PROVIDER: 'openai',
      EMBEDDING_URL: endpoint.url,
      EMBEDDING_MODEL: model,
      EMBEDDING_BATCH: String(batch),
      EMBEDDING_TIMEOUT: '3000',
      OUTBOUND_ALLOW: '127.0.0.1',
    });
    token = await service.token();
  };
  const progress = async (): Promise<Progress> =>
    JSON.parse((await service.send('GET', '/embeddings/progress', token)).text) as Progress;
  const rich = async (): Promise<Answer> => {
    const body = { prompt: 'am I rich?', kinds: ['tool'] };
    return JSON.parse((await service.send('POST', '/search', token, { body })).text) as Answer;
  };

  it('serves beside the old one until it is complete; a kill in between loses and doubles nothing', async () => {
    await start('meaning-1');
    await importBank(service, token, more);
    await settled(progress);
    const before = await rich();
    expect(before.items[0]).toMatchObject({ name: 'getBalance', keywordScore: 0 });
    await service.stop('SIGTERM');

    // Two batches are answered, the third never.
    let answered = 0;
    endpoint.answer = async (call, response) => {
      const isBatch = call.model === 'meaning-2' && call.input.length > 1;
      if (!isBatch || (answered += 1) <= 2) await EmbeddingEndpoint.wellBehaved(call, response);
    };
    await start('meaning-2');
    const halfway = await until(progress, ({ models }) =>
      models.some(({ model, ready }) => model === 'meaning-2' && ready === 2 * batch),
    );
    expect(halfway).toMatchObject({
      model: 'meaning-2',
      live: 'meaning-1',
      models: [
        { model: 'meaning-1', ready: texts },
        { model: 'meaning-2', ready: 2 * batch, pending: texts - 2 * batch },
      ],
    });
    expect(await rich()).toEqual(before);
    await until(
      () => askedOf('meaning-2', endpoint.calls),
      (asked) => asked.length > 2 * batch,
    );
    await service.stop('SIGKILL');

    const stored = askedOf('meaning-2', endpoint.calls).slice(0, 2 * batch);
    const calls = endpoint.calls.length;
    endpoint.answer = EmbeddingEndpoint.wellBehaved;
    await start('meaning-2');
    expect(await settled(progress)).toMatchObject({
      live: 'meaning-2',
      models: [{ model: 'meaning-2', ready: texts, pending: 0, failed: 0 }],
    });
    const again = askedOf('meaning-2', endpoint.calls.slice(calls));
    expect([...stored, ...again]).toHaveLength(texts);
    expect([...stored, ...again].sort()).toEqual(askedOf('meaning-1', endpoint.calls).sort());
    expect(await rich()).toEqual(before);
  });
});
