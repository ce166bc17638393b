import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An issuer of tokens on this machine: device code (RFC 8628) and client credentials, as RFC 8414 describes it. */
export class ForeignIssuer {
  /** What was asked of the token endpoint, in order. */
  readonly asked: Record<string, string>[] = [];
  /** Times that a device has still to ask. */
  private pending = 1;

  private constructor(
    private readonly server: Server,
    private readonly token: string,
  ) {}

  static async start(token: string): Promise<ForeignIssuer> {
    const server = createServer();
    const issuer = new ForeignIssuer(server, token);
    server.on('request', (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const [status, answer] = issuer.answer(request.url ?? '', new URLSearchParams(body));
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get address(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  stop(): void {
    this.server.close();
  }

  private answer(path: string, form: URLSearchParams): readonly [number, object] {
    if (path.startsWith('/.well-known/oauth-authorization-server')) {
      return [
        200,
        {
          issuer: `${this.address}/`,
          token_endpoint: `${this.address}/token`,
          device_authorization_endpoint: `${this.address}/device`,
        },
      ];
    }
    if (path === '/device') {
      const where = { verification_uri: 'https://login.example.com/device', user_code: 'ABCD-\u001b[2J' };
      return [200, { device_code: 'device-1', expires_in: 60, interval: 1, ...where }];
    }
    if (path !== '/token') return [404, {}];
    this.asked.push(Object.fromEntries(form));
    if (form.get('client_id') === 'unknown')
      return [401, { error: 'invalid_client', error_description: 'Who?' }];
    if (form.get('device_code') !== null && this.pending-- > 0)
      return [400, { error: 'authorization_pending' }];
    return [200, { access_token: this.token, token_type: 'Bearer', expires_in: 600 }];
  }
}
