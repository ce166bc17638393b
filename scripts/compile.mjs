/**
 * Makes JavaScript of the sources, each file by itself: `node scripts/compile.mjs <folder>` writes what the service runs, with source maps.
 * It doesn't check types, which takes ten times as long; `npm run check` does.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';

const [out] = process.argv.slice(2);
const sources = ['src', 'packages', 'bench', 'examples'].flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => /\.ts$/.test(file) && !/\.(spec|d)\.ts$|(^|[\\/])(node_modules|dist)[\\/]/.test(file)),
);

/** As tsconfig.json has it. */
const options = {
  swcrc: false,
  configFile: false,
  sourceMaps: true,
  inlineSourcesContent: false,
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, verbatimModuleSyntax: true },
    target: 'es2023',
    keepClassNames: true,
  },
  module: { type: 'es6' },
};

async function compile(file) {
  const target = join(out, file.replace(/\.ts$/, '.js'));
  const { code, map } = await transformFile(file, {
    ...options,
    sourceFileName: relative(dirname(target), file).replaceAll('\\', '/'),
  });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${code}//# sourceMappingURL=${file.replace(/^.*[\\/]|\.ts$/g, '')}.js.map\n`);
  writeFileSync(`${target}.map`, map);
}

const results = await Promise.allSettled(sources.map(compile));
for (const [index, { reason }] of results.entries())
  if (reason !== undefined) console.error(`${sources[index]}: ${reason.message ?? String(reason)}`);
if (results.some(({ status }) => status === 'rejected')) process.exitCode = 1;
