import { sample } from '../../src/sample/sample-ids.js';
import { seed } from '../soak.js';
import { filledBodies, filledSpecs } from './filled-bodies.js';
import type { HostileRequest } from './hostile-places.js';
import { drawnRequests, worstOnce } from './hostile-requests.js';
import { eachServer, hostId } from './server.js';

/** A few of those that `soak/fuzz` sends, which also looks at what they cost. */
eachServer((server) => {
  const send = async ({ title, method, path, body }: HostileRequest): Promise<string | undefined> => {
    const url = `/${path.replaceAll(sample.hostId, hostId)}`;
    const { status, text } = await server().api(method, url, body && { raw: body() });
    // A gateway that is not there, or whose credential is not, is 502.
    return status >= 500 && status !== 502 ? `${title}: ${text.slice(0, 500)}` : undefined;
  };

  it('each of the worst texts, where bodies take one, is answered', async () => {
    const faults: (string | undefined)[] = [];
    for (const request of worstOnce()) faults.push(await send(request));
    expect(faults.filter(Boolean)).toEqual([]);
    expect(faults.length).toBeGreaterThan(40);
  });

  it('bodies of every route, with every limit filled, are answered', async () => {
    const faults: (string | undefined)[] = [];
    for (const request of [...filledBodies('words'), ...filledSpecs()]) faults.push(await send(request));
    expect(faults.filter(Boolean)).toEqual([]);
    expect(faults.length).toBeGreaterThan(80);
  });

  it('40 requests drawn by a fixed seed are answered', async () => {
    const faults: (string | undefined)[] = [];
    for (const request of drawnRequests(seed, 40)) faults.push(await send(request));
    expect(faults.filter(Boolean)).toEqual([]);
  });
});
