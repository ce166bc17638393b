import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { alternately, milliseconds, progress, report } from './harness.js';
import { asking, startService, type Service } from './programs.js';

const operations = 5_000;
const turns = 15;

/** The screen of all tools in Chromium: opened and filtered, each beside the bare route that it asks. */
export async function benchPortal(url: string | undefined): Promise<void> {
  const browser = browserPath();
  if (browser === undefined) {
    progress('ui: left out, no Chromium is in the PATH');
    return;
  }
  const service = await startService(url, { UPLOAD_LIMIT: String(32 * 1024 * 1024) });
  const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'));
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  const context = await chromium.launchPersistentContext(folder, { executablePath: browser, args });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await measure(page, service);
  } finally {
    await context.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(page: Page, service: Service): Promise<void> {
  await page.goto(service.address.href);
  await page.getByRole('button', { name: 'Sign in as developer' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  const { host } = await page.evaluate<{ host: string }>(`fetch('session').then((answer) => answer.json())`);
  await asking(service.address, host, await service.token(host))('POST', '/imports', {
    ...{ api: { apiId: 'bench' }, version: { serviceId: 'com.example.bench-1.0.0', envTag: 'dev' } },
    ...{ publish: true, document: description() },
  });
  const route = (query: string) => () =>
    page.evaluate<number>(`(async () => {
      const started = performance.now();
      const answer = await fetch('/v1/hosts/${host}/tools?limit=25${query}');
      await answer.json();
      return performance.now() - started;
    })()`);
  const row = (name: string) => page.getByRole('link', { name, exact: true }).waitFor();
  const open = () =>
    milliseconds(async () => {
      await page.goto(new URL('/tools', service.address).href);
      await row(nameOf(0));
    });
  const opened = await alternately(turns, open, route(''));
  report({ bench: `ui, ${String(operations)} tools, screen of all opened`, unit: 'ms', ...opened });

  let turn = 0;
  const filter = () => {
    turn += 1;
    const name = nameOf(operations - turn);
    return milliseconds(async () => {
      await page.getByRole('textbox', { name: 'Words in name or description' }).fill(name);
      await row(name);
    });
  };
  const filtered = await alternately(turns, filter, () => route(`&q=${nameOf(operations - turn)}`)());
  report({ bench: `ui, ${String(operations)} tools, filtered by words`, unit: 'ms', ...filtered });
}

function browserPath(): string | undefined {
  const places = (process.env['PATH'] ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return places.flatMap((place) => names.map((name) => join(place, name))).find(existsSync);
}

function nameOf(index: number): string {
  return `operation${String(index).padStart(5, '0')}`;
}

function description(): object {
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, index) => [
      `/things/${String(index)}`,
      {
        get: {
          ...{ operationId: nameOf(index), summary: `Reads thing ${String(index)}` },
          responses: { 200: { description: 'The thing' } },
        },
      },
    ]),
  );
  return { openapi: '3.1.0', info: { title: 'Bench', version: '1.0.0' }, paths };
}
