import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeTinyModel } from '../../test/tiny-model.js';
import { settled, type Progress } from '../../test/e2e/embedding-progress.js';
import { importBank } from '../../test/e2e/embedded-bank.js';
import { newHome, type Home } from '../../test/e2e/home.js';
import { itUnless } from '../../test/unless.js';
import { runToEnd, ServiceProcess } from '../../test/system/service-process.js';

const name = '@huggingface/transformers';
const isInstalled = existsSync(join('node_modules', name));
/** It weighs more than all the rest. */
const lacking = isInstalled
  ? undefined
  : `${name} is not installed (npm install --no-save --ignore-scripts ${name}, as .ci/run does)`;

/** In a process of its own: a native library does not live well in a test runner's world. */
describe('a local model', () => {
  let home: Home;
  let environment: (model: string) => NodeJS.ProcessEnv;
  beforeAll(async () => {
    home = await newHome('embedded');
    const models = join(home.directory, 'models');
    await writeTinyModel(models, 'tiny');
    await writeTinyModel(models, 'small', 256);
    environment = (model) => ({
      EMBEDDING_PROVIDER: 'transformers',
      EMBEDDING_MODEL_DIR: models,
      EMBEDDING_MODEL: model,
    });
  });
  afterAll(() => home.raze());

  /** What the service says when it refuses to start. */
  const refusal = async (model: string): Promise<string> => {
    const refused = { ...home, environment: { ...home.environment, ...environment(model) } };
    const { code, output } = await runToEnd('main.js', [], refused);
    expect([output, code]).toEqual([output, 1]);
    return output;
  };

  itUnless(
    isInstalled ? `${name} is installed` : undefined,
    'needs its package, and says how to get it',
    async () => {
      expect(await refusal('tiny')).toContain(`npm install --no-save ${name}`);
    },
  );

  itUnless(lacking, 'finds what no word finds', async () => {
    const service = await ServiceProcess.start(home, environment('tiny'));
    try {
      const token = await service.token();
      const get = async <T>(path: string): Promise<T> =>
        JSON.parse((await service.send('GET', path, token)).text) as T;
      await importBank(service, token);
      const progress = await settled(() => get<Progress>('/embeddings/progress'));
      expect(progress).toMatchObject({ live: 'tiny?pooling=mean&dtype=q8', dimension: 384 });
      const body = { prompt: 'am I rich?', kinds: ['tool'] };
      const { text } = await service.send('POST', '/search', token, { body });
      const { items } = JSON.parse(text) as { items: { name: string; keywordScore: number }[] };
      expect(items[0]).toMatchObject({ name: 'getBalance', keywordScore: 0 });
    } finally {
      await service.stop('SIGTERM');
    }
  });

  itUnless(lacking, 'is refused where it gives another dimension', async () => {
    expect(await refusal('small')).toContain('256 dimensions where the catalog has 384');
  });
});
