import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { developmentClaims } from '../src/development-claims.js';
import { openDatabase } from '../src/platform/database/open-database.js';
import { alternately, milliseconds, progress, report } from './harness.js';
import { asking, startService, withDatabase, type Service } from './programs.js';
import { makeScaleHost } from './scale-world.js';

const turns = 15;
const scale = { tools: 100_000, toolsEach: 100, skillsEach: 20 };

/** Lists of the portal, which ask the route of their own name; the agents of the scale host all have one name. */
const lists = ['tools', 'skills', 'agents'] as const;
const names: Partial<Record<(typeof lists)[number], (turn: number) => string>> = {
  tools: (turn) => `getThing${String(scale.tools - turn)}`,
  skills: (turn) => `Skill ${String(scale.tools / scale.toolsEach - turn)}`,
};

/**
 * Lists of the portal in Chromium, on a host with 100,000 tools, 1,000 skills and 1,000 agents: opened until their first row
 * is there, and filtered by words, each beside the bare route that it asks.
 */
export async function benchPortal(url: string | undefined): Promise<void> {
  const browser = browserPath();
  if (browser === undefined || url === undefined) {
    progress('ui: left out, it needs DATABASE_URL and Chromium in the PATH');
    return;
  }
  await withDatabase(url, async (own) => {
    const service = await startService(own);
    const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'));
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
    const context = await chromium.launchPersistentContext(folder, { executablePath: browser, args });
    try {
      await fill(own, service);
      const page = context.pages()[0] ?? (await context.newPage());
      await measure(page, service);
    } finally {
      await context.close();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function fill(url: string, service: Service): Promise<void> {
  const { host } = developmentClaims;
  const database = await openDatabase({ url, directory: '' });
  try {
    await makeScaleHost(database, host, asking(service.address, host, await service.token(host)), scale);
  } finally {
    await database.close();
  }
}

async function measure(page: Page, service: Service): Promise<void> {
  await page.goto(service.address.href);
  await page.getByRole('button', { name: 'Sign in as operator' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  for (const list of lists) {
    const bare = (query: string) =>
      page.evaluate<number>(`(async () => {
        const started = performance.now();
        const answer = await fetch('/v1/hosts/${developmentClaims.host}/${list}?limit=25${query}');
        await answer.json();
        return performance.now() - started;
      })()`);
    const open = () =>
      milliseconds(async () => {
        await page.goto(new URL(`/${list}`, service.address).href);
        await page.locator('tbody tr a').first().waitFor();
      });
    const bench = `portal, ${String(scale.tools)} tools, list of ${list}`;
    report({ bench: `${bench} opened`, unit: 'ms', ...(await alternately(turns, open, () => bare(''))) });

    const nameOf = names[list];
    if (nameOf === undefined) continue;
    let turn = 0;
    const filter = () => {
      turn += 1;
      return milliseconds(async () => {
        await page.getByRole('textbox', { name: 'Words in name or description' }).fill(nameOf(turn));
        await page.getByRole('link', { name: nameOf(turn), exact: true }).waitFor();
      });
    };
    const bareFilter = () => bare(`&q=${encodeURIComponent(nameOf(turn + 1))}`);
    report({
      bench: `${bench} filtered by words`,
      unit: 'ms',
      ...(await alternately(turns, filter, bareFilter)),
    });
  }
}

function browserPath(): string | undefined {
  const places = (process.env['PATH'] ?? '').split(delimiter);
  const programs = ['chromium', 'chromium-browser', 'google-chrome'];
  return places.flatMap((place) => programs.map((name) => join(place, name))).find(existsSync);
}
