import { Agent, request } from 'node:http';
import { v7 } from 'uuid';
import { rawWrites, writesPerSecond } from './append.js';
import { alternately, progress, report } from './harness.js';
import { startService, withDatabase, type Service } from './programs.js';

const turns = 3;
const connections = 16;
const seconds = 4;
/** Seconds until V8 has compiled what a request runs through: a service runs for days. */
const warmUp = 8;

/**
 * `POST …/skills` on 16 connections, to one host and to sixteen, against a raw `begin; insert; commit`. In turns, since
 * both take all that the machine has.
 */
export async function benchCreateSkill(url?: string): Promise<void> {
  if (url === undefined) {
    progress('create-skill: left out, it needs DATABASE_URL');
    return;
  }
  for (const hosts of [1, 16]) {
    const measured = await alternately(
      turns,
      () => withDatabase(url, (own) => created(own, hosts)),
      () => withDatabase(url, (own) => rawWrites(own, hosts, seconds)),
    );
    report({ bench: `create skill over HTTP, ${String(hosts)} hosts`, unit: 'writes/s', ...measured });
  }
}

async function created(url: string, hosts: number): Promise<number> {
  const service = await startService(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const posts = await Promise.all(Array.from({ length: hosts }, () => poster(service, agent)));
    return await writesPerSecond(
      (line) => posts[line % hosts]?.() ?? Promise.resolve(),
      seconds,
      connections,
      warmUp,
    );
  } finally {
    agent.destroy();
    await service.stop();
  }
}

/** Creates one more skill in a host of its own. */
async function poster(service: Service, agent: Agent): Promise<() => Promise<void>> {
  const host = v7();
  const token = await service.token(host, { sid: 'accounts', scope: 'catalog:write' });
  const url = new URL(`/v1/hosts/${host}/skills`, service.address);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let count = 0;
  return () =>
    new Promise((resolve, reject) => {
      count += 1;
      const body = {
        name: `skill ${String(count)}`,
        contentMarkdown: '# Read before you write\n'.repeat(25),
      };
      const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().on('end', () => {
          if (answer.statusCode === 201) resolve();
          else reject(new Error(`POST …/skills answered ${String(answer.statusCode)}`));
        });
      });
      sent.on('error', reject).end(JSON.stringify(body));
    });
}
