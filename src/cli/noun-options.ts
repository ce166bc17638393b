import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UnreadableDocument } from '../documents/findings.js';
import { parseYaml } from '../documents/yaml.js';
import type { CatalogClient } from './catalog-client.js';
import { idOf } from './named-record.js';
import { nounReferredTo, type CliNoun } from './nouns.js';
import { CliFault, exitCodes } from './output.js';
import type { Parameter, Schema, ServiceDocument } from './service-document.js';

/** A member of a body or a query, and the option that says it. */
export interface MemberOption {
  /** Where the member is: `['routing', 'domain']`. */
  readonly path: readonly string[];
  /** Without the dashes. */
  readonly flag: string;
  readonly schema: Schema;
  /** The noun whose id it holds, or a list of them. */
  readonly refersTo: CliNoun | undefined;
}

type Options = Readonly<Record<string, unknown>>;
export type Members = Record<string, unknown>;

/** Options that every command has: a member of that name is called by its noun, too (`--gateway-url`). */
const taken = ['url', 'token', 'host', 'json', 'yaml', 'ids', 'from', 'all', 'help', 'dry-run'];

/** Members that other commands call by another word. */
const flagsFor: Readonly<Record<string, string>> = { 'env-tag': 'env' };

/** Members whose own members need no more than their name. */
const plainParents = ['routing', 'safety', 'contextRequirements'];

/** Texts longer than this come from a file, too. */
const maxTyped = 1_000;

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function flagOf(path: readonly string[], { word }: CliNoun): string {
  const member = path.at(-1) ?? '';
  const refersTo = nounReferredTo(member);
  const short = /^parent/.test(member) || refersTo === undefined ? kebab(member.replace(/Id$/, '')) : '';
  const parents = path.slice(0, -1).filter((parent) => !plainParents.includes(parent));
  const own = short === '' ? (refersTo?.word ?? '') : short;
  const flag = [...parents.map(kebab), flagsFor[own] ?? own].join('-');
  return taken.includes(flag) ? `${word}-${flag}` : flag;
}

/** Makes an option of each member of a body that has a name of its own; of others the parent takes YAML. */
export function bodyOptions(
  document: ServiceDocument,
  body: Schema,
  noun: CliNoun,
  above: readonly string[] = [],
): MemberOption[] {
  return Object.entries(body.properties ?? {}).flatMap(([name, given]): MemberOption[] => {
    // A second spelling of a member, for clients of before.
    if (name.includes('_')) return [];
    const path = [...above, name];
    const schema = document.whole(given);
    const option = { path, flag: flagOf(path, noun), schema, refersTo: nounReferredTo(name) };
    if (schema.properties === undefined || path.length > 2) return [option];
    const inner = bodyOptions(document, schema, noun, path).filter((each) => each.schema.const === undefined);
    return [...inner, ...(isNullable(schema) ? [option] : [])];
  });
}

export function queryOptions(query: readonly Parameter[], noun: CliNoun): MemberOption[] {
  return query.map(({ name, schema, description }) => ({
    path: [name],
    flag: flagOf([name], noun),
    schema: { ...schema, ...(description !== undefined && { description }) },
    refersTo: name === noun.id ? undefined : nounReferredTo(name),
  }));
}

function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}

function isNullable(schema: Schema): boolean {
  return typesOf(schema).includes('null') || schema.enum?.includes(null) === true;
}

function isComplex(schema: Schema): boolean {
  const types = typesOf(schema);
  if (types.includes('array')) return schema.items === undefined || !typesOf(schema.items).includes('string');
  return types.length === 0 || types.includes('object');
}

function isLong(schema: Schema): boolean {
  if (isComplex(schema)) return true;
  const isFree = schema.enum === undefined && schema.format === undefined && schema.pattern === undefined;
  return isFree && typesOf(schema).includes('string') && (schema.maxLength ?? maxTyped + 1) > maxTyped;
}

function valueForm({ schema, refersTo }: MemberOption): string {
  const types = typesOf(schema);
  const one = refersTo?.word ?? (isComplex(schema) ? 'yaml' : types.includes('string') ? 'text' : 'number');
  if (types.includes('array') && !isComplex(schema)) return `<${one === 'number' ? 'text' : one}...>`;
  return types.includes('boolean') ? '[yes]' : `<${one}>`;
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('A number was expected.');
  return value;
}

/** Adds the options to the command; `removable` ones can be taken away with `--no-…`. */
export function addOptions(command: Command, members: readonly MemberOption[], removable: boolean): void {
  for (const member of members) {
    const { flag, schema } = member;
    const about = firstSentence(schema.description ?? '');
    if (!(removable && isNullable(schema) && schema.properties !== undefined)) {
      const option = new Option(`--${flag} ${valueForm(member)}`, about);
      const types = typesOf(schema);
      if (types.includes('boolean')) option.choices(['true', 'false']).preset('true');
      else if (schema.enum !== undefined)
        option.choices(schema.enum.filter((each) => typeof each === 'string'));
      else if (!types.includes('string') && (types.includes('integer') || types.includes('number')))
        option.argParser(numberOf);
      command.addOption(option);
      if (isLong(schema)) command.option(`--${flag}-file <path>`, `the same, from a file (- is the input)`);
    }
    if (removable && (isNullable(schema) || typesOf(schema).includes('array')))
      command.addOption(new Option(`--no-${flag}`, `take it away`));
  }
}

function firstSentence(text: string): string {
  const [sentence = ''] = text.split(/(?<=[.:!?])\s/, 1);
  return sentence.replace(/[.:]$/, '');
}

/** Option of commander: `--env-tag` is `envTag`. */
function optionName(flag: string): string {
  return flag.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Reads what the options say, and puts ids for names. */
export async function valuesOf(
  client: CatalogClient,
  members: readonly MemberOption[],
  options: Options,
  noun: CliNoun,
): Promise<Members> {
  const values: Members = {};
  for (const member of members) {
    const value = await valueOf(client, member, options, noun);
    if (value === undefined) continue;
    let at = values;
    for (const step of member.path.slice(0, -1)) at = (at[step] ??= {}) as Members;
    at[member.path.at(-1) ?? ''] = value;
  }
  return values;
}

async function valueOf(
  client: CatalogClient,
  { flag, schema, refersTo }: MemberOption,
  options: Options,
  { word }: CliNoun,
): Promise<unknown> {
  const given = options[optionName(flag)];
  const file = options[optionName(`${flag}-file`)];
  if (typeof file === 'string') {
    const text = await textOf(file);
    return isComplex(schema) ? structured(`--${flag}-file`, text, schema) : text;
  }
  // Of an option that there is only as --no-…, commander says true by itself.
  if (given === undefined || (given === true && schema.properties !== undefined)) return undefined;
  if (given === false) return isNullable(schema) ? null : [];
  if (typesOf(schema).includes('boolean')) return given === 'true' || given === true;
  if (isComplex(schema))
    return typeof given === 'string' ? structured(`--${flag}`, given, schema) : undefined;
  if (refersTo === undefined) return given;
  const id = (named: string) => idOf(client, refersTo, named, { entityType: entityTypeFor(refersTo, word) });
  if (typeof given === 'string') return id(given);
  if (!Array.isArray(given)) return undefined;
  const ids: string[] = [];
  for (const each of given) ids.push(await id(String(each)));
  return ids;
}

/** Categories and tags are those of the noun that gets them. */
function entityTypeFor(refersTo: CliNoun, word: string): string | undefined {
  const classified = ['skill', 'tool', 'endpoint', 'workflow'];
  const isTerm = refersTo.word === 'category' || refersTo.word === 'tag';
  return isTerm && classified.includes(word) ? word : undefined;
}

export async function textOf(file: string): Promise<string> {
  try {
    const bytes = file === '-' ? await buffer(process.stdin) : await readFile(file);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFault(exitCodes.usage, `${file} can't be read: ${reason}`);
  }
}

/** Reads YAML or JSON; where a text is as good, what is no structure is the text. */
function structured(where: string, text: string, schema: Schema): unknown {
  const value = yamlOf(where, text);
  if (typeof value !== 'object' && typesOf(schema).includes('string')) return text;
  return value;
}

/** Reads YAML or JSON that somebody wrote. Throws CliFault with the place of what is wrong. */
export function yamlOf(where: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    if (error instanceof UnreadableDocument)
      throw new CliFault(exitCodes.usage, `${where}: ${error.message}`);
    throw error;
  }
}

/** Adds the members that can have but one value, where others beside them are given. */
export function withConstants(document: ServiceDocument, schema: Schema, values: Members): Members {
  const known = document.whole(schema).properties ?? {};
  const constants = Object.entries(known).flatMap(([name, { const: only }]) =>
    only === undefined ? [] : [[name, only] as const],
  );
  const inner = Object.entries(values).map(([name, value]) => {
    const of = known[name];
    const isWhole = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [
      name,
      of !== undefined && isWhole ? withConstants(document, of, value as Members) : value,
    ] as const;
  });
  return { ...Object.fromEntries(constants), ...Object.fromEntries(inner) };
}
