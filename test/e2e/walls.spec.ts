import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { declaredRoutes } from '../../src/openapi.js';
import { reworded } from '../integration/overheard.js';
import { inFull } from './catalog-witness.js';
import { World } from './catalog-world.js';
import { eachOwnServer, type OwnServer } from './own-server.js';
import { hostId } from './server.js';

const otherHost = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02';

/** What reads and answers at once, and says the same whenever it is asked. */
const reading = declaredRoutes().filter(
  ({ method, url, operation }) =>
    url.startsWith('/v1/hosts/:hostId') &&
    (method === 'GET' || (method === 'POST' && operation.reads === true)) &&
    operation.answerType !== 'text/event-stream' &&
    !['/drift', '/evaluations'].some((end) => url.endsWith(end)),
);

/** A statement that no longer says whose rows it means. */
const forgetful = (text: string): string =>
  text.replace(/\b(?:\w+\.)?host_id = \$(\d+)(?:::uuid)?/g, '$$$1::uuid IS NOT NULL');

/** Takes the host filter out of every statement that the service sends for a host, until it is given back. */
class Forgetting {
  readonly statements = new Set<string>();
  private readonly database: Database & { of: Database['of'] };
  private readonly remembering: Database['of'];
  private readonly forgetting: Database['of'];

  constructor(server: OwnServer) {
    this.database = server.app.get<Database>(DATABASE);
    this.remembering = this.database.of.bind(this.database);
    const other = reworded(this.database, (text) => {
      const said = forgetful(text);
      if (said !== text) this.statements.add(text);
      return said;
    });
    this.forgetting = (hostId) => other.of(hostId);
  }

  begin(): void {
    this.database.of = this.forgetting;
  }

  end(): void {
    this.database.of = this.remembering;
  }
}

eachOwnServer((server) => {
  let world: World;
  let other: World;
  let forgetting: Forgetting;
  beforeAll(async () => {
    world = await World.make(server(), hostId);
    other = await World.make(server(), otherHost);
    for (const each of [world, other]) {
      for (const [method, path, body] of each.steps()) await each.ask(method, path, body?.(1));
    }
    await server().settled();
    forgetting = new Forgetting(server());
  });
  afterEach(() => {
    forgetting.end();
  });

  /** Every way to read, about things of either host. */
  const askAll = async (): Promise<Record<string, string>> => {
    const answers: Record<string, string> = {};
    for (const about of [world, other]) {
      const names = about.names();
      for (const { method, url, operation } of reading) {
        const path = url
          .replace('/v1/hosts/:hostId', '')
          .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(names[name] ?? hostId));
        const query = new URLSearchParams((operation.example.query ?? {}) as Record<string, string>);
        for (const rest of [`?${query.toString()}`, '?active=all&limit=500']) {
          const { status, text } = await world.ask(
            method,
            path + rest,
            method === 'GET' ? undefined : operation.example.body,
          );
          // A signature is another each time.
          const shown = text.replace(/"signature":"[^"]*"/, '');
          answers[`${method} ${path}${rest}`] = `${String(status)} ${shown}`;
        }
      }
    }
    const asOf = `&asOf=${String(await world.position())}`;
    return { ...answers, past: await world.catalog(inFull + asOf) };
  };

  it('a service that forgets whose rows it reads tells nothing of another host', async () => {
    const remembered = await askAll();
    const found = Object.values(remembered).filter((answer) => answer.startsWith('200'));
    expect(found.length).toBeGreaterThan(60);
    forgetting.begin();
    const answers = await askAll();
    const otherwise = Object.keys(answers).filter((asked) => answers[asked] !== remembered[asked]);
    expect(otherwise.map((asked) => [asked, answers[asked], remembered[asked]])).toEqual([]);
    expect(forgetting.statements.size).toBeGreaterThan(60);
  });
});
