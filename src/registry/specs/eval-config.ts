import { createHash } from 'node:crypto';
import type { FromSchema } from 'json-schema-to-ts';
import { canonicalJson } from '../../kernel/canonical-json.js';
import type { EvalConfig } from './tool-spec.js';
import type { evalConfigSchema } from './tool-spec.schema.js';

/** Says of each prompt what it expects and forbids: the tool itself where none is named. */
export function evalConfigOf(
  { prompts, thresholds = {} }: FromSchema<typeof evalConfigSchema>,
  name: string,
): EvalConfig {
  return {
    prompts: prompts.map(({ prompt, expected = [], forbidden = [] }) => ({
      ...{ prompt, forbidden },
      expected: expected.length === 0 ? [name] : expected,
    })),
    thresholds,
  };
}

/** Hex SHA-256 over the canonical JSON of an eval config. */
export function evalConfigDigest(config: EvalConfig): string {
  return createHash('sha256').update(canonicalJson(config)).digest('hex');
}
