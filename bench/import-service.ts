import { readFileSync } from 'node:fs';
import { startService, withDatabase } from './programs.js';

const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e31';

/** The built service, for one operator of one service. */
export interface Service {
  /** `path` below the host, or from the root where it begins with a slash. Answers the body; throws where it is refused. */
  readonly send: (method: string, path: string, body?: string) => Promise<string>;
  /** Most memory that the service and its workers have held, each at its own time; NaN where the system does not say. */
  readonly peakMegabytes: () => number;
}

/** Runs the work against a service that is empty, on a database of its own, or embedded where there is no `url`. */
export async function withService(
  serviceId: string,
  url: string | undefined,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  if (url === undefined) await run(serviceId, undefined, work);
  else await withDatabase(url, (own) => run(serviceId, own, work));
}

async function run(
  serviceId: string,
  url: string | undefined,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const server = await startService(url);
  try {
    const scope = 'catalog:read catalog:write catalog:admin';
    const token = await server.token(hostId, { sid: serviceId, scope });
    await work({ send: sender(server.address, token), peakMegabytes: () => peakMegabytes(server.pid) });
  } finally {
    await server.stop();
  }
}

function sender(address: URL, token: string): Service['send'] {
  return async (method, path, body) => {
    const url = new URL(path.startsWith('/') ? path : `/v1/hosts/${hostId}/${path}`, address);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`${method} ${path} answered ${String(answer.status)}: ${text.slice(0, 500)}`);
    return text;
  };
}

/** Linux says it of each process: `VmHWM`, and the processes that one has started. */
function peakMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    const started = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8');
    const own = Math.round((Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024) / 1e6);
    const children = started.split(' ').filter((child) => child.trim() !== '');
    return children.reduce((sum, child) => sum + peakMegabytes(Number(child)), own);
  } catch {
    return NaN;
  }
}
