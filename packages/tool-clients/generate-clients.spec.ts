import { aTool, hostileTools } from '../../test/hostile-tools.js';
import { generateClients } from './generate-clients.js';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

it('x', () => {
  void aTool;
  for (const language of ['typescript', 'python', 'ruby'] as const) {
    const { files, warnings } = generateClients(hostileTools, language);
    for (const [path, text] of files) {
      const to = join('/tmp/clients-out', language, path);
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, text);
    }
    console.log(language, files.size, warnings.length);
  }
});
