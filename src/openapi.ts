import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { effectiveCatalogRoute } from './effective-catalog/public.js';
import { sliceModules } from './app.module.js';
import { graphPage } from './graph/shared.js';
import { nounTexts } from './openapi.texts.js';
import { openApiOf } from './platform/http/openapi-document.js';
import { routesOf, routesOfController, type DeclaredRoute } from './platform/http/operation.js';
import { schemaFiles } from './registry/shared.js';
import { platformControllers } from './platform/platform.module.js';

const info = {
  title: 'Portal catalog',
  version: '1.0.0',
  summary: 'Endpoints, tools and skills of companies, and the catalog that each of their agents may see.',
  description:
    'Every record belongs to a host; a token says which host, services and environments it covers. ' +
    'Refusals are problem details (RFC 9457) with a stable `code`. Writes take `If-Match` and `Idempotency-Key`.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

/** The routes that are no controller's. */
const bareRoutes: readonly DeclaredRoute[] = [effectiveCatalogRoute];

/** Every route of the service. */
export function declaredRoutes(): readonly DeclaredRoute[] {
  return [...routesOf(sliceModules), ...platformControllers.flatMap(routesOfController), ...bareRoutes];
}

/** OpenAPI 3.1 of the whole service, but for what is free to change. */
export function openApiDocument(): object {
  const stable = declaredRoutes().filter(({ operation }) => operation.evolving !== true);
  return openApiOf(stable, info, nounTexts);
}

/** Run by itself: writes what is made of the code, or with `--check` says whether the files are in step with it. */
async function main(): Promise<void> {
  await keep('openapi/portal-catalog.openapi.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`);
  await keep('docs/graph.md', graphPage());
  for (const { path, text } of schemaFiles) await keep(path, text);
}

async function keep(file: string, text: string): Promise<void> {
  const present = await readFile(file, 'utf8').catch(() => '');
  if (present === text) {
    console.log(`${file} is in step with the code.`);
  } else if (process.argv.includes('--check')) {
    console.error(`${file} is not in step with the code. Mend it: npm run openapi`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    console.log(`Wrote ${file}.`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
