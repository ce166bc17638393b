import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { tricklingAnswer } from '../../../test/trickling-answer.js';
import { OutboundRules } from './outbound-rules.js';
import { OutboundSession, type OutboundLimits } from './outbound.js';

const limits: OutboundLimits = { timeMs: 10_000, bytes: 100_000 };
const servers: Server[] = [];
const sockets = new Set<Socket>();

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
const http = (listener: RequestListener) => listening(createServer(listener));
/** Answers every connection with these bytes, and hangs up. */
const raw = (bytes: string) =>
  listening(createSocketServer((socket) => socket.once('data', () => socket.end(bytes))));

afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

async function get(
  address: string,
  allow = ['127.0.0.1'],
  own: Partial<OutboundLimits> = {},
  request: RequestInit = {},
): Promise<string> {
  const session = new OutboundSession(new URL(address), new OutboundRules(allow), { ...limits, ...own });
  try {
    return await (await session.fetch(address, request)).text();
  } finally {
    await session.close();
  }
}

const fault = (kind: string) => expect.objectContaining({ kind }) as Error;

test('reaches what is allowed', async () => {
  const port = await http((_, answer) => answer.end('hello'));
  expect(await get(`http://127.0.0.1:${String(port)}/`)).toBe('hello');
  expect(await get(`http://localhost:${String(port)}/`, ['localhost'])).toBe('hello');
});

test.each(['GET', 'HEAD', 'TRACE'])('sends what fetch does not: %s', async (method) => {
  const port = await http((request, answer) => {
    void text(request).then((body) =>
      answer.setHeader('x-body', body).end(`${String(request.method)} ${body}`),
    );
  });
  const body = method === 'TRACE' ? null : '{"q":1}';
  const sent = { method, body, headers: new Headers({ 'content-type': 'application/json' }) };
  const at = `http://127.0.0.1:${String(port)}/find?a=b`;
  expect(await get(at, ['127.0.0.1'], {}, sent)).toBe(method === 'HEAD' ? '' : `${method} ${body ?? ''}`);
  await expect(get(at, [], {}, sent)).rejects.toThrow(fault('refused'));
  if (method === 'GET')
    await expect(get(at, ['127.0.0.1'], { bytes: 5 }, sent)).rejects.toThrow(fault('too_large'));
});

test('follows no redirect of a GET with a body, and keeps its time', async () => {
  const port = await http((request, answer) => {
    if (request.url === '/away') answer.writeHead(302, { location: '/' }).end('elsewhere');
    else answer.writeHead(200).write('begun');
  });
  const sent = { method: 'GET', body: 'a' };
  const at = `http://127.0.0.1:${String(port)}`;
  await expect(get(`${at}/away`, ['127.0.0.1'], {}, sent)).rejects.toThrow(fault('redirected'));
  await expect(get(`${at}/`, ['127.0.0.1'], { timeMs: 300 }, sent)).rejects.toThrow(fault('timeout'));
});

test('blames no place for a request that can not be made', async () => {
  const sent = { headers: { 'a b': 'c' } };
  await expect(get('http://nowhere.invalid/', [], {}, sent)).rejects.toMatchObject({
    isUnsent: true,
    message: "The request to http://nowhere.invalid can't be made, so it was not sent.",
  });
});

test('refuses this machine however it is spelt, and asks nobody', async () => {
  let asked = 0;
  const port = await http((_, answer) => {
    asked += 1;
    answer.end('secret');
  });
  const hosts = ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0.0.0.0', '[::1]'];
  for (const host of [...hosts, '[::ffff:127.0.0.1]', '127.0.0.1.']) {
    await expect(get(`http://${host}:${String(port)}/`, [])).rejects.toThrow(fault('refused'));
  }
  await expect(get('file:///etc/passwd', [])).rejects.toThrow(fault('refused'));
  expect(asked).toBe(0);
});

test('counts no fault of a place where the caller gives up its own request', async () => {
  const port = await http((request, answer) => {
    if (request.url === '/slow') answer.writeHead(200).write('begun');
    else if (request.url !== '/silent') answer.end('hello');
  });
  const place = `http://127.0.0.1:${String(port)}`;
  const session = new OutboundSession(new URL(place), new OutboundRules(['127.0.0.1']), limits);
  try {
    const [silent, slow] = [new AbortController(), new AbortController()];
    const unanswered = session.fetch(`${place}/silent`, { signal: silent.signal });
    const begun = await session.fetch(`${place}/slow`, { signal: slow.signal });
    silent.abort();
    slow.abort();
    await expect(unanswered).rejects.toMatchObject({ name: 'AbortError' });
    await expect(begun.text()).rejects.toMatchObject({ name: 'AbortError' });
    expect(session.fault).toBeUndefined();
    expect(await (await session.fetch(`${place}/`)).text()).toBe('hello');
  } finally {
    await session.close();
  }
});

test('follows no redirect, and goes to no other origin', async () => {
  let asked = 0;
  const inside = await http((_, answer) => {
    asked += 1;
    answer.end('secret');
  });
  const port = await http((_, answer) => {
    answer.writeHead(302, { location: `http://127.0.0.1:${String(inside)}/` }).end();
  });
  await expect(get(`http://127.0.0.1:${String(port)}/`)).rejects.toThrow(fault('redirected'));
  const session = new OutboundSession(
    new URL(`http://127.0.0.1:${String(port)}/`),
    new OutboundRules(['127.0.0.1']),
    limits,
  );
  await expect(session.fetch(`http://127.0.0.1:${String(inside)}/`)).rejects.toThrow(fault('refused'));
  await session.close();
  expect(asked).toBe(0);
});

describe('a name', () => {
  /** A session to a name that leads to these addresses, look-up by look-up. */
  async function named(lookups: readonly (readonly string[])[]) {
    let asked = 0;
    let resolved = 0;
    const port = await http((_, answer) => {
      asked += 1;
      answer.writeHead(200, { connection: 'close' }).end('hello');
    });
    const address = `http://rebound.example:${String(port)}/`;
    const rules = new OutboundRules(['127.0.0.1/32']);
    const session = new OutboundSession(new URL(address), rules, limits, (_host, _options, callback) => {
      const all = lookups[resolved] ?? [];
      resolved += 1;
      callback(
        null,
        all.map((one) => ({ address: one, family: 4 })),
      );
    });
    return {
      get: async () => (await session.fetch(address)).text(),
      close: () => session.close(),
      counts: () => ({ asked, resolved }),
    };
  }

  test('is reached at the address that was checked, and checked again for the next connection', async () => {
    const { get: fetched, close, counts } = await named([['127.0.0.1'], ['127.0.0.2']]);
    expect(await fetched()).toBe('hello');
    expect(counts()).toEqual({ asked: 1, resolved: 1 });
    await expect(fetched()).rejects.toThrow(fault('refused'));
    expect(counts()).toEqual({ asked: 1, resolved: 2 });
    await close();
  });

  test('is not reached where one of its addresses is forbidden, wherever that stands', async () => {
    const {
      get: fetched,
      close,
      counts,
    } = await named([
      ['127.0.0.1', '10.0.0.1'],
      ['10.0.0.1', '127.0.0.1'],
    ]);
    await expect(fetched()).rejects.toThrow(fault('refused'));
    await expect(fetched()).rejects.toThrow(fault('refused'));
    expect(counts()).toEqual({ asked: 0, resolved: 2 });
    await close();
  });
});

test('stops at the limit of size, also where it is packed or never ends', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const packed = await http((_, answer) => {
    answer.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  await expect(get(`http://127.0.0.1:${String(packed)}/`)).rejects.toThrow(fault('too_large'));
  const endless = await http((_, answer) => {
    const more = (): void => {
      while (!answer.destroyed && answer.write(Buffer.alloc(8192))) continue;
    };
    answer.on('drain', more);
    more();
  });
  await expect(get(`http://127.0.0.1:${String(endless)}/`)).rejects.toThrow(fault('too_large'));
});

test('ends what hangs, before its answer or within', async () => {
  const silent = await http(() => undefined);
  await expect(get(`http://127.0.0.1:${String(silent)}/`, undefined, { timeMs: 200 })).rejects.toThrow(
    fault('timeout'),
  );
  const slow = await http((_, answer) => {
    answer.write('begun');
  });
  await expect(get(`http://127.0.0.1:${String(slow)}/`, undefined, { timeMs: 200 })).rejects.toThrow(
    fault('timeout'),
  );
});

test('ends what trickles in, however long the answer has lasted', async () => {
  const { url, stop } = await tricklingAnswer();
  const { signal } = new AbortController();
  const [limited, also] = [
    get(url, undefined, { timeMs: 500 }),
    get(url, undefined, { timeMs: 500 }, { signal }),
  ];
  await Promise.allSettled([limited, also]).finally(stop);
  await expect(limited).rejects.toThrow(fault('timeout'));
  await expect(also).rejects.toThrow(fault('timeout'));
});

test('tells a lie about the length, nonsense, and nobody there apart', async () => {
  const longer = await raw('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nshort');
  await expect(get(`http://127.0.0.1:${String(longer)}/`)).rejects.toThrow(fault('broken'));
  const nonsense = await raw('220 smtp.example.com ESMTP\r\n');
  await expect(get(`http://127.0.0.1:${String(nonsense)}/`)).rejects.toThrow(fault('broken'));
  const port = await http((_, answer) => answer.end());
  servers.at(-1)?.close();
  await expect(get(`http://127.0.0.1:${String(port)}/`)).rejects.toThrow(fault('unreachable'));
  await expect(get('http://nowhere.invalid/')).rejects.toThrow(fault('unreachable'));
});
