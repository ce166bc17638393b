import { connect, type Socket } from 'node:net';

/** One request, repeated on every connection as soon as its answer is there. */
export interface Load {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** Status that every answer must have. */
  readonly status: number;
}

/**
 * Answers a second while the load runs for so many milliseconds. A client of bare sockets: one that parsed each
 * answer would be slower than the servers it measures, and hide what they differ in. All answers must be equally long.
 */
export async function answersPerSecond(load: Load, milliseconds: number): Promise<number> {
  const request = requestOf(load);
  const until = performance.now() + milliseconds;
  const started = performance.now();
  const counts = await Promise.all(
    Array.from({ length: load.connections }, () => drive(load, request, until)),
  );
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return (answers * 1000) / (performance.now() - started);
}

function requestOf({ url, headers }: Load): Buffer {
  const lines = Object.entries({ host: url.host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`);
}

function drive({ url, status }: Load, request: Buffer, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    const start = `HTTP/1.1 ${String(status)} `;
    let answers = 0;
    let missing = 0;
    const onData = (chunk: Buffer): void => {
      if (missing === 0) missing = lengthOf(chunk, start);
      missing -= chunk.length;
      if (missing > 0) return;
      answers += 1;
      if (performance.now() < until) socket.write(request);
      else
        end(socket, () => {
          resolve(answers);
        });
    };
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      try {
        onData(chunk);
      } catch (error) {
        socket.destroy();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.once('error', reject);
    socket.once('connect', () => socket.write(request));
  });
}

/** Bytes of the answer that begins with this chunk. */
function lengthOf(chunk: Buffer, start: string): number {
  const head = chunk.indexOf('\r\n\r\n');
  const text = chunk.toString('latin1', 0, head);
  if (head < 0 || !text.startsWith(start)) throw new Error(`Not the answer expected: ${chunk.toString()}`);
  const length = /content-length: (\d+)/i.exec(text)?.[1] ?? '0';
  return head + 4 + Number(length);
}

function end(socket: Socket, done: () => void): void {
  socket.removeAllListeners('error');
  socket.destroy();
  done();
}
