/** A small account service: what sample/account-service.openapi.yaml describes, as far as the example needs it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const account = {
  accountId: 'TW-204-881',
  state: 'in-arrears',
  holder: { name: 'Ines Okafor' },
  supplyPoint: { street: '4 Quay Lane', postcode: '20457', town: 'Harwick', meters: ['W20481733'] },
  tariff: 'tide-basic',
  balanceCents: -13420,
};

const bills = [
  { billNo: 'B-2026-10', issuedOn: '2026-10-31', dueOn: '2026-11-21', totalCents: 8710, owedCents: 8710 },
  { billNo: 'B-2026-09', issuedOn: '2026-09-30', dueOn: '2026-10-21', totalCents: 8460, owedCents: 4710 },
  { billNo: 'B-2026-08', issuedOn: '2026-08-31', dueOn: '2026-09-21', totalCents: 7980, owedCents: 0 },
];

const readings = [{ day: '2026-10-31', value: 4688.1 }];

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** The body of a 200; undefined is a 404. */
function answerTo({ method, path, query, body }: Asked): object | undefined {
  switch (`${method} ${path}`) {
    case `GET /v1/accounts/${account.accountId}`:
      return account;
    case `GET /v1/accounts/${account.accountId}/bills`:
      return { bills: bills.filter(({ owedCents }) => query.get('unpaid') !== 'true' || owedCents > 0) };
    case 'GET /v1/meters/W20481733/readings':
      return { readings };
    case 'PUT /v1/meters/W20481733/readings': {
      const reading = JSON.parse(body) as (typeof readings)[number];
      readings.unshift(reading);
      return { ...reading, implausible: reading.value < (readings[1]?.value ?? 0) };
    }
    default:
      return undefined;
  }
}

export interface AccountApi {
  /** Base address, as the description's `servers` has it. */
  readonly url: string;
  stop(): void;
}

/** Starts it on a free port of this machine. It is called with the key as bearer token, by the gateway alone. */
export async function startAccountApi(key: string, said: (line: string) => void): Promise<AccountApi> {
  const server = createServer((request, response) => {
    const { method = '', headers } = request;
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
    void text(request).then((body) => {
      const isKnown = headers.authorization === `Bearer ${key}`;
      const answer = isKnown ? answerTo({ method, path, query, body }) : undefined;
      const status = answer === undefined ? (isKnown ? 404 : 401) : 200;
      said(`${method} ${request.url ?? ''} → ${String(status)}`);
      response.writeHead(status, {
        'content-type': answer ? 'application/json' : 'application/problem+json',
      });
      response.end(JSON.stringify(answer ?? { title: 'Refused', status }));
    });
  });
  return {
    url: `http://127.0.0.1:${String(await portOf(server))}/v1`,
    stop: () => {
      stopped(server);
    },
  };
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function stopped(server: Server): void {
  server.closeAllConnections();
  server.close();
}
