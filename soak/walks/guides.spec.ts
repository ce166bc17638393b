import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { guidePages } from '../../test/guide-pages.js';
import { lacking, noJq } from '../../test/clients/implementations.js';
import { newHome, type Home } from '../../test/e2e/home.js';
import { describeUnless } from '../../test/unless.js';
import { matching, PageShell } from './page-shell.js';
import { ServiceProcess } from '../../test/system/service-process.js';

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

describeUnless(
  lacking.python ?? lacking.ruby ?? noJq,
  'the guides, walked from the first chapter to the last',
  () => {
    let home: Home;
    let service: ServiceProcess;
    let shell: PageShell;
    let isWalked = false;
    beforeAll(async () => {
      home = await newHome('embedded');
      service = await ServiceProcess.start(home);
      const [gateway, implementation] = [await freePort(), await freePort()];
      const addresses = {
        'PORT=3000 GATEWAY_PORT=4000 TOOLS_PORT=4001': `PORT=${new URL(service.address).port} GATEWAY_PORT=${gateway} TOOLS_PORT=${implementation}`,
        'npx tsc': join(process.cwd(), 'node_modules/.bin/tsc'),
      };
      shell = new PageShell(home.environment, addresses);
    });
    afterAll(async () => {
      // What a failed walk has left running; one that came to its end has ended them itself.
      const left = isWalked ? '' : 'kill -- "-${SERVE-}" "-${SERVED-}" 2> /dev/null || true;';
      await shell.run(`${left} rm -rf "$WORK" "$WORK.small"`);
      shell.close();
      await service.stop('SIGTERM');
      await home.raze();
    });

    it.each(guidePages.map((page) => [page.name, page] as const))('%s', async (name, { blocks }) => {
      for (const [index, { place, language, path, text }] of blocks.entries()) {
        if (path !== undefined) {
          const file = join((await shell.run('echo "$WORK"')).trim(), path);
          await mkdir(dirname(file), { recursive: true });
          await writeFile(file, text);
        }
        if (language !== 'sh') continue;
        const printed = await shell.run(text);
        const next = blocks[index + 1];
        if (next?.language !== 'text') continue;
        const [whole, expected] = [`${place}\n${printed.trim()}`, matching(`${place}\n${next.text}`)];
        if (!expected.test(whole)) process.stderr.write(service.said.slice(-3000));
        expect(whole).toMatch(expected);
      }
      isWalked = name === guidePages.at(-1)?.name;
    });
  },
);
