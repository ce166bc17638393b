/** The documents that fidelity is tried on: those of the corpus, and the project's own. */
import { existsSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { isObject, type JsonObject } from '../../src/documents/json.js';
import { samplesOfCorpus } from '../import-laws.js';

export interface TriedDocument {
  readonly name: string;
  readonly format: string;
  readonly document: string | { readonly files: Readonly<Record<string, string>> };
}

/** OpenAPI documents that stand in the project: its own, that of its sample, and GitHub's, which is a package. */
const own = [
  'sample/account-service.openapi.yaml',
  'openapi/portal-catalog.openapi.json',
  'node_modules/@octokit/openapi/generated/api.github.com.json',
];

export const ownDocuments = (): readonly TriedDocument[] =>
  own
    .filter((name) => existsSync(name))
    .map((name) => ({ name, format: 'openapi', document: readFileSync(name, 'utf8') }));

export const corpusDocuments = (): readonly TriedDocument[] => samplesOfCorpus();

/** A document of OpenAPI as libraries of others read it; undefined where it is none, or has no single file. */
export function asOthersReadIt({ document, format }: TriedDocument): JsonObject | undefined {
  if (typeof document !== 'string' || format !== 'openapi') return undefined;
  const text = document.replace(/^\uFEFF/, '');
  const read: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : load(text);
  if (!isObject(read) || (read['openapi'] === undefined && read['swagger'] === undefined)) return undefined;
  return read;
}
