/**
 * `npm run build`; and, with a program of dist/ as argument, `node scripts/build.mjs src/openapi.js --check`: builds
 * where needed, then becomes that program.
 */
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { build, install, main, root } from './set-up.mjs';

await main(async () => {
  await install();
  await build();
  const [program, ...rest] = process.argv.slice(2);
  if (program === undefined) return;
  const path = join(root, 'dist', program);
  process.argv.splice(1, process.argv.length - 1, path, ...rest);
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(path).href);
});
