import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { mintToken } from '../src/platform/auth/development-issuer.js';
import { rawWrites, writesPerSecond } from './append.js';
import { progress, report } from './harness.js';
import { startProgram, withDatabase, type Program } from './programs.js';

const connections = 16;
const seconds = 4;

/** `POST …/skills` on 16 connections, to one host and to sixteen, against a raw `begin; insert; commit`. */
export async function benchCreateSkill(url?: string): Promise<void> {
  if (url === undefined) {
    progress('create-skill: left out, it needs DATABASE_URL');
    return;
  }
  for (const hosts of [1, 16]) {
    const baseline = await withDatabase(url, (own) => rawWrites(own, hosts, seconds));
    const figure = await withDatabase(url, (own) => created(own, hosts));
    report({ bench: `create skill over HTTP, ${String(hosts)} hosts`, figure, unit: 'writes/s', baseline });
  }
}

async function created(url: string, hosts: number): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'portal-catalog-bench-'));
  const server = await startProgram('../src/main.js', [], {
    PORT: '0',
    DATA_DIR: directory,
    LOG_LEVEL: 'warn',
    SAMPLE_DATA: 'off',
    RATE_LIMIT: 'off',
    DATABASE_URL: url,
    AUTH_DEV_ISSUER: 'on',
  });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const posts = await Promise.all(Array.from({ length: hosts }, () => poster(server, directory, agent)));
    return await writesPerSecond(
      (line) => posts[line % hosts]?.() ?? Promise.resolve(),
      seconds,
      connections,
    );
  } finally {
    agent.destroy();
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Creates one more skill in a host of its own. */
async function poster(server: Program, directory: string, agent: Agent): Promise<() => Promise<void>> {
  const host = v7();
  const claims = { sub: 'operator', host, sid: 'accounts', env: 'dev', scope: 'catalog:write' };
  const token = await mintToken(directory, claims, 3600);
  const url = new URL(`/v1/hosts/${host}/skills`, server.address);
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
