import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether this is the first time in this run that `name` is asked for; `PLANTED_IN` is a folder of the run. */
export function isFirst(name: string): boolean {
  const file = join(process.env['PLANTED_IN'] ?? '', name);
  if (existsSync(file)) return false;
  writeFileSync(file, '');
  return true;
}
