/** A number that is not written as JSON would write it (`007`, `1.10`, `12e03`): it may be meant as a text. */
export class WrittenNumber {
  constructor(
    readonly value: number,
    readonly text: string,
  ) {}
}

const INTEGER = /^[-+]?(?:\d+|0o[0-7]+|0x[\da-f]+)$/i;

/** Reads a number from what was written. An integer of more digits than a number of JSON carries is the text itself. */
export function writtenNumber(value: number, text: string): number | string | WrittenNumber {
  if (String(value) === text || !Number.isFinite(value)) return value;
  if (Number.isSafeInteger(value) || !INTEGER.test(text)) return new WrittenNumber(value, text);
  const isExact = BigInt(text.replace(/^[-+]/, '')) === BigInt(Math.abs(value));
  return isExact ? new WrittenNumber(value, text) : text;
}

/** Writes the integers of a JSON text that its numbers don't carry exactly as texts. */
export function withLongTexts(json: string): string {
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs, (token) =>
    token.startsWith('"') || typeof writtenNumber(Number(token), token) !== 'string' ? token : `"${token}"`,
  );
}
