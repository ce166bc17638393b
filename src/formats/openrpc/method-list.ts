import {
  below,
  entriesOf,
  isObject,
  member,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';

/** A method as the document has it, and its place. */
export interface PlacedMethod {
  readonly name: string;
  readonly value: JsonObject;
  readonly pointer: string;
}

/** A document of methods: OpenRPC, or what JSON-RPC servers list about themselves. */
export interface MethodDocument {
  readonly root: JsonObject;
  readonly pointer: string;
  readonly methods: Json;
}

/**
 * Finds the methods in a document: OpenRPC (also as the answer to `rpc.discover`), an object with `methods` (a list, or
 * an object by name where `jsonrpc` stands beside it), the answer to `system.listMethods`, or the bare list of methods.
 * Undefined where it is none.
 */
export function methodDocument(document: Json, pointer = ''): MethodDocument | undefined {
  if (Array.isArray(document)) {
    const known = isMethodList(document) || isNameList(document);
    return known ? { root: {}, pointer, methods: document } : undefined;
  }
  if (!isObject(document)) return undefined;
  const { methods, result } = document;
  const known = document['openrpc'] !== undefined || document['jsonrpc'] !== undefined;
  if (Array.isArray(methods) || (known && isObject(methods))) return { root: document, pointer, methods };
  if (document['openrpc'] !== undefined) return { root: document, pointer, methods: methods ?? null };
  if (document['jsonrpc'] === undefined) return undefined;
  return methodDocument(result ?? null, below(pointer, 'result'));
}

/** Tells of named methods, one of which says what it takes; tools say that otherwise. */
export function isMethodList(items: readonly Json[]): boolean {
  const says = (name: string): boolean => items.some((item) => member(item, name) !== undefined);
  return says('params') && !says('inputSchema') && items.every((item) => methodName(item) !== undefined);
}

function isNameList(items: readonly Json[]): boolean {
  return items.length > 0 && items.every((item) => typeof item === 'string');
}

function methodName(method: Json): string | undefined {
  return textMember(method, 'name') ?? textMember(method, 'method');
}

/** Lists each method with its name; `unnamed` is given the places of those that have none. */
export function methodsOf(
  { methods, pointer, root }: MethodDocument,
  unnamed: (pointer: string) => void,
): readonly PlacedMethod[] {
  const at = root['methods'] === methods ? below(pointer, 'methods') : pointer;
  if (isObject(methods)) {
    return entriesOf(methods).map(([name, value]) => ({
      name,
      value: isObject(value) ? value : {},
      pointer: below(at, name),
    }));
  }
  const list = Array.isArray(methods) ? methods : [];
  return list.flatMap((method, index) => {
    const place = below(at, index);
    const name = typeof method === 'string' ? method : methodName(method);
    if (name !== undefined && name.trim() !== '')
      return [{ name, value: isObject(method) ? method : {}, pointer: place }];
    // OpenRPC lets a method be a reference, which the reader follows.
    if (isObject(method) && member(method, '$ref') !== undefined)
      return [{ name: '', value: method, pointer: place }];
    unnamed(place);
    return [];
  });
}
