import type { ServiceProcess } from '../system/service-process.js';

const path = (operationId: string, description: string): object => ({
  get: { operationId, description, responses: { 200: { description: 'ok' } } },
});

/** An API of which each endpoint and tool makes one text to embed. */
export function bankOf(more = 0): object {
  const archives = Array.from({ length: more }, (_, index) => [
    `/archive/${String(index)}`,
    path(`openArchive${String(index)}`, `Opens the archive of year ${String(index)}.`),
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Bank', version: '1' },
    paths: {
      '/balance': path('getBalance', 'Shows the balance.'),
      '/transfers': path('listTransfers', 'Lists transfers.'),
      '/loans': path('listLoans', 'Lists loans.'),
      ...(Object.fromEntries(archives) as object),
    },
  };
}

export async function importBank(service: ServiceProcess, token: string, more = 0): Promise<void> {
  const api = { apiId: 'bank', apiName: 'Bank' };
  const version = { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' };
  const body = { api, version, document: bankOf(more), publish: true };
  const { status, text } = await service.send('POST', '/imports', token, { body });
  if (status >= 300) throw new Error(text);
}
