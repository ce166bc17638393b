import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from './pause.js';

export interface EmbeddingCall {
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions: number;
  readonly authorization: string | undefined;
}

type Answer = (call: EmbeddingCall, response: ServerResponse) => void | Promise<void>;

/** Meaning by hand: texts about one of these point the same way. */
const topics = [/money|balance|cash|rich/i, /transfer|send|wire/i, /loan|credit/i];

/** An embedding endpoint that behaves, or doesn't, as it is told. */
export class EmbeddingEndpoint {
  readonly calls: EmbeddingCall[] = [];
  answer: Answer = (call, response) => EmbeddingEndpoint.wellBehaved(call, response);

  private constructor(private readonly server: Server) {}

  static async start(): Promise<EmbeddingEndpoint> {
    const server = createServer();
    const endpoint = new EmbeddingEndpoint(server);
    server.on('request', (request, response) => void endpoint.take(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  static wellBehaved: Answer = ({ input }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) }),
    );
  };

  static refuses =
    (status: number, headers: Record<string, string> = {}): Answer =>
    (_, response) => {
      response.writeHead(status, headers).end('{"error": "no"}');
    };

  static ofDimension =
    (dimension: number): Answer =>
    ({ input }, response) => {
      const embedding = Array.from({ length: dimension }, () => 0.1);
      response.end(JSON.stringify({ data: input.map((_, index) => ({ index, embedding })) }));
    };

  static halfABody: Answer = (_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"data": [{"embedding": [0.1, 0.2');
    response.destroy();
  };

  static slow =
    (milliseconds: number): Answer =>
    async (call, response) => {
      await pause(milliseconds);
      await EmbeddingEndpoint.wellBehaved(call, response);
    };

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Omit<EmbeddingCall, 'authorization'>;
    const call = { ...body, authorization: request.headers.authorization };
    this.calls.push(call);
    await this.answer(call, response);
  }
}

function vectorOf(text: string): number[] {
  const vector = Array.from({ length: 384 }, () => 0);
  vector[383] = 0.1;
  for (const [index, topic] of topics.entries()) if (topic.test(text)) vector[index] = 1;
  return vector;
}
