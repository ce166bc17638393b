import type { ErrorObject } from 'ajv/dist/2020.js';
import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser';
import type { Fault } from '../../kernel/errors.js';

const MAX_LISTED = 100;
/** Faults that are looked for in one value. */
export const MAX_COUNTED = 1_000;

/** The first hundred faults; where there are more, a last one says how many. */
export function firstHundred(faults: readonly Fault[]): readonly Fault[] {
  if (faults.length <= MAX_LISTED) return faults;
  const all = faults.length < MAX_COUNTED ? String(faults.length) : `${String(MAX_COUNTED)} or more`;
  const detail = `these are the first ${String(MAX_LISTED)} of ${all} faults`;
  return [...faults.slice(0, MAX_LISTED), { pointer: '', detail }];
}

/** Turns ajv's errors (`verbose` ones) into faults that say what to do: the first hundred, and how many there are. */
export function faultsOf(errors: readonly ErrorObject[]): readonly Fault[] {
  return firstHundred(errors.map(faultOf));
}

/** A member's name as a step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return /[~/]/.test(name) ? `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : `/${name}`;
}

function faultOf(error: ErrorObject): Fault {
  const { keyword, instancePath } = error;
  const parameters: Readonly<Record<string, unknown>> = error.params;
  switch (keyword) {
    case 'required':
      return {
        pointer: instancePath + pointerStep(String(parameters['missingProperty'])),
        detail: 'is missing',
      };
    case 'additionalProperties':
      return {
        pointer: instancePath + pointerStep(String(parameters['additionalProperty'])),
        detail: `is not known here; known are ${knownNames(error)}`,
      };
    case 'type':
      return { pointer: instancePath, detail: `must be ${typesNamed(parameters['type'])}` };
    case 'enum':
      return { pointer: instancePath, detail: `must be one of ${listed(parameters['allowedValues'])}` };
    case 'format':
      return {
        pointer: instancePath,
        detail: `must be ${formatNames[String(parameters['format'])] ?? error.message ?? ''}`,
      };
    case 'pattern':
      return { pointer: instancePath, detail: patternDetail(error) };
    case 'not':
      return { pointer: instancePath, detail: excludedDetail(error) };
    default:
      return { pointer: instancePath, detail: error.message ?? keyword };
  }
}

const typeNames: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function typesNamed(types: unknown): string {
  return [types]
    .flat()
    .map((type) => typeNames[String(type)] ?? String(type))
    .join(' or ');
}

const formatNames: Readonly<Record<string, string>> = {
  uuid: 'a UUID in lower case',
  'date-time': 'a time like 2026-11-21T08:00:00Z',
  uri: 'an absolute URI',
};

/** Adds what the property is for, since a regular expression explains little. */
function patternDetail(error: ErrorObject): string {
  const meaning: unknown = error.parentSchema?.['description'];
  const message = error.message ?? 'has another form';
  return typeof meaning === 'string' ? `${message} (${meaning})` : message;
}

/** Of members that may not be there beside what else is given, as where only one of several alternatives is taken. */
function excludedDetail({ schema, message }: ErrorObject): string {
  type Required = { readonly required?: readonly string[] };
  const { anyOf, required } = Object(schema) as Required & { readonly anyOf?: readonly Required[] };
  const sets = anyOf === undefined ? [required ?? []] : anyOf.map((each) => each.required ?? []);
  return sets.some(({ length }) => length === 0)
    ? (message ?? 'must be something else')
    : `must be without ${sets.map((names) => names.join(' and ')).join(', without ')}: what else is given excludes it`;
}

function knownNames(error: ErrorObject): string {
  const properties: unknown = error.parentSchema?.['properties'];
  const names = properties instanceof Object ? Object.keys(properties) : [];
  return names.length === 0 ? 'none' : names.join(', ');
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(', ') : '';
}

/** Describes why `JSON.parse` refused a text, and where: the engine names the place only sometimes, else a tolerant parser finds it. */
export function jsonFault(text: string, { message }: Error): string {
  const named = /at position (\d+)/.exec(message)?.[1];
  const fault =
    named === undefined
      ? firstJsonFault(text)
      : { offset: Number(named), what: message.replace(/( in JSON)? at position.*$/, '') };
  const { line, column } = lineAndColumn(text, fault.offset);
  return `${fault.what} at line ${String(line)}, column ${String(column)}`;
}

function firstJsonFault(text: string): { readonly offset: number; readonly what: string } {
  let found: { readonly offset: number; readonly what: string } | undefined;
  const onError = (error: ParseErrorCode, offset: number): void => {
    // `PropertyNameExpected` becomes `property name expected`.
    const what = printParseErrorCode(error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
    found ??= { offset, what: what.toLowerCase() };
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch {
    return found ?? { offset: 0, what: 'too deeply nested' };
  }
  return found ?? { offset: text.length, what: 'unexpected end' };
}

export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}

/** Counts the lines, from 1, of places in a text. Asked for in order, all of them cost one walk over the text. */
export function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (offset) => {
    for (; next !== -1 && next < offset; next = text.indexOf('\n', next + 1)) line++;
    return line;
  };
}
