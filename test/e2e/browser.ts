import { request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Sent {
  readonly body?: unknown;
  /** Over what a browser sends by itself; null takes one away. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
}

/** Speaks HTTP as a page of the service does in a browser: keeps cookies, and sends what browsers send. */
export class Browser {
  readonly cookies = new Map<string, string>();
  csrf: string | undefined;

  /** @param origin of the pages, where it is not that of the address: a proxy stands before the service then */
  constructor(
    readonly address: string,
    readonly origin = address,
  ) {}

  async send(method: string, path: string, { body, headers = {} }: Sent = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all: Record<string, string | readonly string[] | null> = {
      'sec-fetch-site': 'same-origin',
      ...(cookie !== '' && { cookie }),
      ...(method !== 'GET' && { origin: this.origin }),
      ...(this.csrf !== undefined && { 'x-csrf-token': this.csrf }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    const present = Object.entries(all).filter(([, value]) => value !== null) as [string, string][];
    const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await exchange(new URL(path, this.address), method, Object.fromEntries(present), sent);
    this.keep(answer);
    return answer;
  }

  /** Signs in by the development issuer, and gives what the service says of it. */
  async signIn(body: object = {}): Promise<Answer> {
    const answer = await this.send('POST', '/session/development', { body });
    this.csrf = answer.body['csrf'] as string | undefined;
    return answer;
  }

  private keep({ headers }: Answer): void {
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0(;|$)/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** By Node's own client: `fetch` sends no `Origin`, `Cookie` or `Host` that a test chooses. */
function exchange(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
  body: string | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: headers as Record<string, string> }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const isJson = /[/+]json\b/.test(response.headers['content-type'] ?? '') && text !== '';
        const parsed = (isJson ? JSON.parse(text) : {}) as Answer['body'];
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
