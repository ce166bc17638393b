/**
 * What a browser fetches of the portal before it shows the first screen, gzipped, without fonts: more than the limit is a fault.
 * What is loaded later (other screens, editors) does not count.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './set-up.mjs';

const MAX_KB = 340;
/** The page itself, and the screen that `/` shows. */
const firstModules = ['index.html', 'src/screens/home/home.tsx'];

/** Prints the size, file by file, and resolves with the exit code. */
export function firstLoad() {
  const folder = join(root, 'ui', 'dist');
  const modules = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const files = [...new Set(firstModules.flatMap((name) => filesOf(modules, name)))];
  const sizes = files.map((file) => [file, statSync(join(folder, `${file}.gz`)).size / 1000]);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  console.log(`First load of the portal: ${total.toFixed(1)} KB of at most ${MAX_KB}.`);
  if (total <= MAX_KB) return Promise.resolve(0);
  for (const [file, size] of sizes.sort(([, a], [, b]) => b - a))
    console.error(`  ${size.toFixed(1)} KB  ${file}`);
  console.error(
    'Load what the first screen does without when it is needed: import() of a screen or an editor.',
  );
  return Promise.resolve(1);
}

/** Scripts and styles of a module and of all that it imports at once. */
function filesOf(modules, name, seen = new Set()) {
  const module = modules[name];
  if (module === undefined) throw new Error(`The build of the portal has no ${name}.`);
  if (seen.has(name)) return [];
  seen.add(name);
  const imported = (module.imports ?? []).flatMap((each) => filesOf(modules, each, seen));
  return [module.file, ...(module.css ?? []), ...imported];
}
