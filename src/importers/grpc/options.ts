import type { ReflectionObject } from 'protobufjs';

/** Values of an extension option, `(google.api.http)`, in order: an option may stand several times. */
export function optionsOf({ parsedOptions }: ReflectionObject, name: string): readonly unknown[] {
  const all: unknown = parsedOptions;
  if (!Array.isArray(all)) return [];
  return all.flatMap((option: unknown) => {
    const entries = typeof option === 'object' && option !== null ? Object.entries(option) : [];
    return entries.filter(([key]) => key === `(${name})`).map(([, value]) => value as unknown);
  });
}
