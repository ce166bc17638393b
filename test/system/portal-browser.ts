import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium, type BrowserContext, type Locator, type Page, type Request } from 'playwright-core';
import { OwnServer } from '../e2e/own-server.js';
import { until } from '../until.js';
import { hostId } from './service-process.js';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const places = (process.env['PATH'] ?? '').split(delimiter);
export const browserPath = places.flatMap((place) => names.map((name) => join(place, name))).find(existsSync);
const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What axe finds, to be run in the page. */
const violations = `axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html)))`;

/** Is there when what has changed is drawn, and colours and places have stopped to move; what moves without end is let be. */
const settled = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(async () => {
  const moving = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(moving.map(({ finished }) => finished));
})`;

/** Why there is no browser to test with; undefined where there is one. */
export const lacking =
  browserPath === undefined ? 'no Chromium is in the PATH (apt-get install chromium)' : undefined;

/** How a screen may be looked at. */
export const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;
export type Look = (typeof looks)[number];

/** A service of its own, and the portal in a browser. */
export class PortalBrowser {
  /** What the browser refused, and what went wrong in scripts. */
  readonly troubles: string[] = [];
  /** Every address that was asked. */
  readonly asked: string[] = [];
  /** What is not answered yet, and when that was last otherwise. */
  private readonly underWay = new Set<Request>();
  private answered = 0;

  private constructor(
    readonly server: OwnServer,
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly folder: string,
  ) {
    page.setDefaultTimeout(120_000);
    page.on('pageerror', (error) => this.troubles.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) this.troubles.push(message.text());
    });
    page.on('request', (request) => {
      this.asked.push(request.url());
      // One stream stays open as long as the page does.
      if (!request.url().includes('/events/stream')) this.underWay.add(request);
    });
    const answered = (request: Request): void => {
      this.underWay.delete(request);
      this.answered += 1;
    };
    page.on('requestfinished', answered).on('requestfailed', answered);
  }

  /** Opens the portal; nobody is signed in yet. */
  static async open(environment: NodeJS.ProcessEnv = {}): Promise<PortalBrowser> {
    const folder = mkdtempSync(join(tmpdir(), 'portal-browser-'));
    const server = await OwnServer.start('embedded', { OUTBOUND_ALLOW: '127.0.0.1', ...environment });
    const context = await chromium.launchPersistentContext(folder, {
      ...{ executablePath: browserPath ?? '', args, locale: 'en', viewport: looks[0].viewport },
    });
    const page = context.pages()[0] ?? (await context.newPage());
    const portal = new PortalBrowser(server, context, page, folder);
    await page.goto(`${server.address}/`);
    return portal;
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async signIn(): Promise<void> {
    const enter = this.button('Sign in as operator');
    await enter.click();
    await enter.waitFor({ state: 'detached' });
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** What others do meanwhile, by HTTP. */
  async others(method: string, path: string, body?: object) {
    const token = await this.server.token({ host: hostId, env: ['dev'] });
    return this.server.api(method, `//v1/hosts/${hostId}${path}`, { token, ...(body && { body }) });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  link(name: string | RegExp): Locator {
    return this.page.getByRole('link', { name, exact: typeof name === 'string' });
  }

  field(name: string | RegExp): Locator {
    return this.page.getByRole('textbox', { name });
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { name });
  }

  /** Goes to an element by the Tab key alone, from wherever the focus is. */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let pressed = 0; pressed < 120; pressed += 1) {
      if ((await target.and(this.page.locator(':focus')).count()) > 0) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`The Tab key does not lead to ${String(target)}.`);
  }

  /** Presses a key on an element that the Tab key leads to. */
  async press(target: Locator, key = 'Enter'): Promise<void> {
    await this.tabTo(target);
    await this.page.keyboard.press(key);
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`${this.server.address}${path}`);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    await this.settled();
  }

  /** Waits until the page has asked nothing for many looks: half a second, or longer where the machine is busy. */
  async settled(): Promise<void> {
    let quiet = 0;
    let before = this.answered;
    const look = (): number => {
      quiet = this.underWay.size === 0 && this.answered === before ? quiet + 1 : 0;
      before = this.answered;
      return quiet;
    };
    await until(look, (looks) => looks > 25);
  }

  /** From the next screen on the page hears of no change that others make, or hears of them again. */
  async hears(isHearing: boolean): Promise<void> {
    if (isHearing) await this.page.unroute('**/events/stream*');
    else await this.page.route('**/events/stream*', (route) => route.abort());
  }

  /**
   * What axe finds on these screens, and which of them are wider than the window, in each of the looks. A screen is gone to once, in
   * the look that the one before it was left in: each look is thus come to by loading as well as by turning to it.
   */
  async faults(screens: readonly string[], wanted: readonly Look[] = looks): Promise<readonly string[]> {
    const found: string[] = [];
    const turns = [wanted, wanted.toReversed()] as const;
    for (const [at, screen] of screens.entries()) {
      for (const [turn, look] of turns[at % 2 === 0 ? 0 : 1].entries()) {
        const { colorScheme, viewport } = look;
        await this.page.emulateMedia({ colorScheme });
        await this.page.setViewportSize(viewport);
        if (turn === 0) {
          await this.go(screen);
          // As a debugger would run it: the policy of the page lets no script in.
          await this.page.evaluate(axe);
        }
        await this.page.evaluate(settled);
        const all = await this.page.evaluate<string[]>(violations);
        if (await this.page.evaluate('document.documentElement.scrollWidth > innerWidth'))
          all.push('is wider than the window');
        found.push(
          ...all.map((fault) => `${screen}, ${colorScheme}, ${String(viewport.width)} px: ${fault}`),
        );
      }
    }
    await this.page.emulateMedia({ colorScheme: looks[0].colorScheme });
    await this.page.setViewportSize(looks[0].viewport);
    return found;
  }

  /** Addresses that are not the service’s own. */
  get elsewhere(): readonly string[] {
    return this.asked.filter((url) => !url.startsWith(this.server.address) && !url.startsWith('data:'));
  }
}
