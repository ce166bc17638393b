import { readFileSync } from 'node:fs';
import { schemaFiles } from './published-schemas.js';

it.each(schemaFiles)('$path says what files are held to', ({ path, text }) => {
  expect(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(text);
});
