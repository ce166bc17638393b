import { isObject } from '../documents/json.js';

/**
 * Reads members of JSON objects that no schema restricts. A member of another shape counts as missing, so that one odd
 * document never breaks an agent's catalog.
 */
export type LooseJson = Readonly<Record<string, unknown>>;

export function textIn(json: LooseJson | undefined, member: string): string | undefined {
  const value = json?.[member];
  return typeof value === 'string' ? value : undefined;
}

/** The texts of a list; one text alone is a list of one. */
export function textsIn(json: LooseJson | undefined, member: string): readonly string[] {
  const value = json?.[member];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item) => typeof item === 'string');
}

export function numberIn(json: LooseJson | undefined, member: string): number | undefined {
  const value = json?.[member];
  return typeof value === 'number' ? value : undefined;
}

export function objectIn(json: LooseJson | undefined, member: string): LooseJson | undefined {
  const value = json?.[member];
  return isObject(value) ? value : undefined;
}

/** The objects of a list; all else in it is passed over. */
export function objectsIn(json: LooseJson | undefined, member: string): readonly LooseJson[] {
  const value = json?.[member];
  return Array.isArray(value) ? value.filter(isObject) : [];
}
