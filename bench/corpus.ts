import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { buildClientSchema, buildSchema, type IntrospectionQuery } from 'graphql';
import { load } from 'js-yaml';
import protobuf from 'protobufjs';
import { upgrade } from '@scalar/openapi-upgrader';

/** One document, as it is sent. */
export interface Sample {
  readonly name: string;
  readonly document: string | { readonly files: Readonly<Record<string, string>> };
}

/** Every document of a folder that has one for each format, but for the one that is refused. */
export function samplesOf(folder: string): readonly Sample[] {
  const inFolder = (name: string) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'expected.json')
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  const single = ['openapi', 'mcp-tools-list', 'openrpc', 'graphql'].flatMap(inFolder);
  const protos = inFolder('grpc').map((file) => [relative(join(folder, 'grpc'), file), textOf(file)]);
  return [
    ...single.map((file) => ({ name: basename(file), document: textOf(file) })),
    { name: 'grpc', document: { files: Object.fromEntries(protos) as Record<string, string> } },
    // An alias that contains itself.
  ].filter(({ name }) => !name.includes('alias'));
}

/** Without the byte order mark that some begin with. */
const textOf = (file: string): string => readFileSync(file, 'utf8').replace(/^\ufeff/, '');

/** What nobody can save of a document: the text parsed, and brought to OpenAPI 3.1 where it is an older one. */
export function parseSample({ name, document }: Sample): unknown {
  if (typeof document !== 'string') return Object.values(document.files).map((text) => protobuf.parse(text));
  if (name.endsWith('.graphql')) return buildSchema(document);
  const value: unknown = name.endsWith('.json') ? JSON.parse(document) : load(document);
  const { data, __schema, openapi, swagger } = value as Partial<Record<string, unknown>>;
  if (data !== undefined || __schema !== undefined)
    return buildClientSchema((data ?? value) as IntrospectionQuery);
  return openapi === undefined && swagger === undefined ? value : upgrade(value, '3.1');
}
