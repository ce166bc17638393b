import { corpus, describeWithCorpus, readCorpus } from '../../../test/import-laws.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { documentLimits } from '../../documents/limits.js';
import type { JsonObject } from '../../documents/json.js';
import { WarningLog } from '../../documents/findings.js';
import { checkLightApi, readLightApi } from '../../formats/lightapi/read-lightapi.js';
import { offeredFacts } from '../../formats/endpoint-facts.js';
import { readDescription } from '../../formats/read-description.js';
import { effectiveOf } from '../endpoint/endpoint.effective.js';
import { exportedFrom, sealed } from '../../formats/lightapi/export-seal.js';
import type { Layers } from '../endpoint/endpoint.layers.js';
import { type ExportedEndpoint, lightApiOf } from './lightapi-export.js';

const version = {
  ...{ apiVersionId: '0198c0de-0000-7000-8000-00000000a001', apiId: 'Orders & more', apiName: 'Orders' },
  ...{ apiVersion: '1', apiDesc: null, apiType: 'openapi', formatVersion: '3.1.0' },
};
const endpoint = (key: string, layers: Layers): ExportedEndpoint => ({
  endpoint: key,
  facts: effectiveOf(layers).facts,
});
const operationOf = (key: string, layers: Layers): JsonObject => {
  const document = lightApiOf(version, [endpoint(key, layers)]) as unknown as JsonObject;
  const warnings = new WarningLog();
  const [[, operation] = []] = checkLightApi(document, warnings);
  expect(warnings.all()).toEqual([]);
  return operation as JsonObject;
};

describe('an endpoint as LightAPI', () => {
  it('has its effective words where LightAPI has a place for them, and the rest in metadata.routing', () => {
    const source = {
      ...{ method: 'get', path: '/orders/{id}', name: 'getOrder', sourceName: 'get order' },
      inputSchema: {
        type: 'object',
        properties: { id: { $ref: '#/$defs/Id' } },
        $defs: { Id: { type: 'string' } },
      },
      routing: { parameters: { id: { in: 'path', name: 'id' } } },
    };
    const operator = {
      routing: { sensitivityTier: 'confidential', domain: 'shop', targetPersonas: ['clerk'] },
      safety: { humanApprovalRequired: true, approvalWorkflow: 'ops/approve' },
    };
    expect(operationOf('/orders/{id}@get', { source, operator })).toMatchObject({
      ...{ endpointId: 'Orders-more/getOrder', operationId: 'get order', protocol: 'http', method: 'GET' },
      ...{ endpoint: '/orders/{id}', visibility: 'restricted', lifecycle: 'active' },
      request: { path: { id: '${input.id}' } },
      input: { schema: { properties: { id: { $ref: '#/operations/getOrder/input/schema/$defs/Id' } } } },
      safety: { destructive: false, requiresConfirmation: true },
      metadata: {
        portalEndpoint: '/orders/{id}@get',
        routing: {
          ...{ domain: 'shop', sensitivityTier: 'confidential', targetPersonas: ['clerk'], readOnly: true },
          approvalWorkflow: 'ops/approve',
        },
      },
    });
  });

  it('keeps what LightAPI once said, but for what refers to its document', () => {
    const lightapi = {
      ...{
        endpointId: 'shop/orders.get',
        protocol: 'http',
        operationId: 'x',
        source: 'theirs',
        server: 'main',
      },
      ...{ authentication: 'oauth', examples: [{ input: {} }], agent: { skill: { notes: 'n' } } },
    };
    const source = { method: 'get', path: '/orders', name: 'getOrders' };
    const said = { lightapi, capabilityRef: 'shop/orders.get', description: 'Theirs.' };
    const operation = operationOf('/orders@get', { source, lightapi_endpoint: said });
    expect(operation).toMatchObject({
      ...{ endpointId: 'shop/orders.get', source: 'api', description: 'Theirs.' },
      ...{ examples: lightapi.examples, agent: lightapi.agent },
    });
    expect(Object.keys(operation)).not.toEqual(expect.arrayContaining(['server']));
  });

  it.each([
    ['mcp', 'send_mail', { protocol: 'mcp', kind: 'tool', name: 'send_mail' }],
    ['openrpc', 'orders.list', { protocol: 'openrpc', source: 'api', method: 'orders.list' }],
    ['grpc', 'shop.Orders/List', { protocol: 'grpc', service: 'shop.Orders', method: 'List' }],
    ['graphql', 'query/orders', { protocol: 'http', source: 'api' }],
  ])('of %s is called in the words of its protocol', (sourceProtocol, path, words) => {
    const source = { method: 'call', path, name: 'one', sourceProtocol };
    expect(operationOf(`${path}@call`, { source })).toMatchObject(words);
  });
});

describe('a seal', () => {
  it('holds as long as nothing is altered', () => {
    const part = sealed({ a: 1, metadata: { routing: { domain: 'x' } } }, 'v1');
    expect(exportedFrom(part)).toBe('v1');
    expect(exportedFrom(JSON.parse(JSON.stringify(part)) as Record<string, unknown>)).toBe('v1');
    expect(exportedFrom({ ...part, a: 2 })).toBeUndefined();
    expect(exportedFrom({ a: 1 })).toBeUndefined();
  });
});

describeWithCorpus('every document of the corpus as LightAPI', () => {
  const files = () => readdirSync(join(corpus, 'openapi')).filter((file) => /\.(json|ya?ml)$/.test(file));

  it('is valid, whole, and says nothing new to the version that it came from', async () => {
    let documents = 0;
    for (const file of files()) {
      const read = await readDescription(readCorpus(join('openapi', file)), { format: 'auto' }).catch(
        () => undefined,
      );
      if (read === undefined || read.offers.length === 0) continue;
      const endpoints = read.offers.map((each) => endpoint(each.endpoint, { source: offeredFacts(each) }));
      const document = JSON.parse(JSON.stringify(lightApiOf(version, endpoints))) as JsonObject;
      const warnings = new WarningLog();
      const again = readLightApi(document, { limits: documentLimits, warnings });
      const codes = warnings.all().filter(({ code }) => /skipped|reference|ref/.test(code));
      expect([file, codes, again.operations.length]).toEqual([file, [], endpoints.length]);
      const origins = again.enrichment?.operations.map((operation) => operation.exportedFrom);
      expect(new Set(origins)).toEqual(new Set([version.apiVersionId]));
      documents++;
    }
    expect(documents).toBeGreaterThan(5);
  });
});
