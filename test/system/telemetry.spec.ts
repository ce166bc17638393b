import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { v7 } from 'uuid';
import { newHome, type Home } from '../e2e/home.js';
import { kinds, nameOf } from '../e2e/kinds.js';
import { hostId, ServiceProcess } from './service-process.js';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: object;
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** What callers send and nobody may find in a span. */
const mark = 'zzmarked';
const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

describe.each(kinds)('spans (%s)', (kind) => {
  describe(nameOf(kind), () => {
    let home: Home;
    /** Takes spans, and answers as a gateway that is broken. */
    let collector: Server;
    let token: string;
    let metrics: string;
    const sent: Sent[] = [];
    const asked: (string | undefined)[] = [];
    const spans = (): Span[] =>
      sent.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)),
      );
    const named = (name: string): Span => {
      const found = spans().find((span) => span.name === name);
      if (found === undefined)
        throw new Error(`No span ${name} among ${[...new Set(spans().map((span) => span.name))].join(', ')}`);
      return found;
    };
    const said = (span: Span): Record<string, unknown> =>
      Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
    /** Whether one is among those around the other. */
    const isWithin = (inner: Span, outer: Span): boolean => {
      if (inner.spanId === outer.spanId) return true;
      const around = spans().find(({ spanId }) => spanId === inner.parentSpanId);
      return around !== undefined && isWithin(around, outer);
    };

    beforeAll(async () => {
      home = await newHome(kind);
      collector = createServer((request, response) => {
        void (async () => {
          if (request.url === '/v1/traces') sent.push((await json(request)) as Sent);
          else asked.push(request.headers['traceparent'] as string | undefined);
          response.writeHead(request.url === '/v1/traces' ? 200 : 500, {
            'content-type': 'application/json',
          });
          response.end('{}');
        })();
      }).listen(0, '127.0.0.1');
      await once(collector, 'listening');
      const address = `http://127.0.0.1:${String((collector.address() as AddressInfo).port)}`;
      const service = await ServiceProcess.start(home, {
        OTEL_EXPORTER_OTLP_ENDPOINT: address,
        OTEL_SERVICE_NAME: 'catalog-in-test',
        OUTBOUND_ALLOW: '127.0.0.1',
      });
      token = await service.token({ sub: `${mark}-person` });
      const body = { name: 'a-skill', contentMarkdown: `Do ${mark}.` };
      expect((await service.send('POST', '/skills', token, { body })).status).toBe(201);
      expect((await service.send('GET', `/skills?name=${mark}`, token)).status).toBeLessThan(500);
      expect((await service.send('POST', '/skills', token, { body: { name: mark } })).status).toBe(400);
      const gateway = `/gateways/${v7()}`;
      const registered = {
        body: { serviceId: 'accounts', envTag: 'dev', url: `${address}/${mark}` },
      };
      expect((await service.send('PUT', gateway, token, registered)).status).toBe(201);
      await service.send('POST', `${gateway}/drift/check`, token);
      const call = (name: string) => ({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: { query: mark, prompt: mark }, _meta: { traceparent } },
      });
      const headers = {
        ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      };
      for (const name of ['search_tools', mark]) {
        const body = JSON.stringify(call(name));
        expect((await fetch(`${service.address}/mcp`, { method: 'POST', headers, body })).status).toBe(200);
      }
      metrics = await (await fetch(`${service.address}/metrics`)).text();
      // What is at hand leaves when it stops.
      expect(await service.stop('SIGTERM')).toBe(0);
    });
    afterAll(async () => {
      collector.close();
      await home.raze();
    });

    it('tell of a request by its route, and of the write and the statements within it', () => {
      const request = named('POST /v1/hosts/:hostId/skills');
      expect(said(request)).toMatchObject({
        'http.request.method': 'POST',
        'http.response.status_code': 201,
      });
      const write = spans().find((span) => span.name === 'catalog.write' && isWithin(span, request));
      expect(write && said(write)).toMatchObject({ 'portal_catalog.attempts': 1 });
      expect(spans().some((span) => 'db.system.name' in said(span) && write && isWithin(span, write))).toBe(
        true,
      );
    });

    it('tell of refusals by their code', () => {
      const refused = spans().filter((span) => said(span)['http.response.status_code'] === 400);
      expect(refused.map((span) => said(span)['portal_catalog.problem.code'])).toContain('invalid_body');
    });

    it('tell of followers', () => {
      expect(spans().some(({ name }) => name.startsWith('follow '))).toBe(true);
    });

    it('of a call over MCP continue the trace that its message names, by names that exist', () => {
      const call = named('tools/call search_tools');
      expect(call.traceId).toBe(traceId);
      expect(said(call)).toMatchObject({
        ...{ 'mcp.method.name': 'tools/call', 'gen_ai.operation.name': 'execute_tool' },
        'gen_ai.tool.name': 'search_tools',
      });
      expect(named('tools/call unknown').traceId).toBe(traceId);
    });

    it('go on at who is called', () => {
      const call = spans().find((span) => said(span)['server.address'] === '127.0.0.1');
      expect(call && said(call)['http.response.status_code']).toBe(500);
      expect(asked).toContain(`00-${call?.traceId ?? ''}-${call?.spanId ?? ''}-01`);
    });

    it.each(['alerts.yml', 'dashboard.json'])(
      'are watched beside figures: %s names those that there are',
      async (file) => {
        const text = await readFile(join('docs', 'operations', file), 'utf8');
        const there = new Set(
          [...metrics.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
            type === 'histogram' ? [`${name}_bucket`, `${name}_count`] : [name],
          ),
        );
        const named = [...text.matchAll(/\b(?:catalog|http|gateway|nodejs|process)_[a-z0-9_]+/g)].map(
          ([name]) => name,
        );
        expect(named.length).toBeGreaterThan(8);
        expect(named.filter((name) => !there.has(name))).toEqual([]);
      },
    );

    it('hold nothing that callers have sent, no id of a host and no token', () => {
      const text = JSON.stringify(sent);
      expect(spans().length).toBeGreaterThan(10);
      for (const secret of [mark, hostId, token]) expect(text).not.toContain(secret);
      expect(text).toContain('catalog-in-test');
    });
  });
});
