/**
 * Makes a fresh clone runnable: installs what package-lock.json names and builds what src/ holds, each only when
 * needed. It imports nothing but node: modules, because it runs before there is a node_modules.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export const root = fileURLToPath(new URL('..', import.meta.url));
const portal = join(root, 'ui', 'dist');
const portalInputs = ['ui/src', 'ui/index.html', 'ui/vite.config.mjs', 'openapi', 'package-lock.json'];
const stampFile = '.sources.sha256';
const buildInputs = ['src', 'packages', 'bench', 'examples', 'scripts/compile.mjs', 'package-lock.json'];

/** Something the user must mend: printed as a sentence, without a stack. */
export class SetUpError extends Error {}

/** Runs one program with the terminal passed through; resolves to its exit code, and dies with this process. */
export function run(command, args, { env = process.env, heartbeat, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env, ...options });
    const started = Date.now();
    const pulse = heartbeat
      ? setInterval(() => {
          console.error(`  … ${heartbeat} (${Math.round((Date.now() - started) / 1000)} s)`);
        }, 10_000)
      : undefined;
    const pass = (signal) => child.kill(signal);
    process.on('SIGINT', pass).on('SIGTERM', pass);
    const finish = () => {
      clearInterval(pulse);
      process.off('SIGINT', pass).off('SIGTERM', pass);
    };
    child.on('error', (error) => {
      finish();
      reject(new SetUpError(`${command} could not be started: ${error.message}`));
    });
    child.on('exit', (code, signal) => {
      finish();
      if (signal === 'SIGINT' || signal === 'SIGTERM') process.kill(process.pid, signal);
      resolve(code ?? 1);
    });
  });
}

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetUpError(
    `Node.js 20.19 or newer is needed; this is ${process.versions.node}. See https://nodejs.org.`,
  );
}

/**
 * Runs `npm ci` unless node_modules already holds exactly what package-lock.json names.
 *
 * @param {string} folder of the package, below the root
 */
export async function install(folder = '.') {
  const lacking = lackingPackages(join(root, folder));
  if (lacking.length === 0) return;
  const started = Date.now();
  const what = folder === '.' ? 'dependencies' : folder;
  console.error(`Installing ${what} with npm ci (${String(lacking.length)} to fetch; a minute or so) …`);
  // --include=dev: the build needs its compiler, also where NODE_ENV=production is set.
  const code = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: join(root, folder),
    heartbeat: 'still installing',
    shell: process.platform === 'win32',
  });
  if (code !== 0) {
    throw new SetUpError(
      `npm ci of ${what} ended with exit code ${code}; the lines above say why. Mend that (network, proxy, registry access), then run the same command again.`,
    );
  }
  console.error(`Installed in ${seconds(started)}.`);
}

/** Packages of package-lock.json that npm's own record of node_modules lacks or holds in another version. */
function lackingPackages(folder) {
  const wanted = packagesOf(join(folder, 'package-lock.json'));
  if (!wanted)
    throw new SetUpError('package-lock.json is missing: this is not a complete copy of the project.');
  const present = packagesOf(join(folder, 'node_modules', '.package-lock.json')) ?? {};
  return Object.entries(wanted).filter(([path, { optional, version, integrity }]) => {
    const found = present[path];
    if (path === '') return false;
    if (!found) return optional !== true; // optional ones are for other platforms
    return found.version !== version || found.integrity !== integrity;
  });
}

function packagesOf(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, 'utf8')).packages : undefined;
}

/**
 * Builds dist/ and ui/dist/, each unless it was built from exactly these sources. A failed build leaves the last good one in
 * place.
 */
export async function build() {
  await Promise.all([
    make(join(root, 'dist'), 'Building', buildInputs, compileService),
    make(portal, 'Building the portal', portalInputs, bundlePortal),
  ]);
}

/** Lets `into` write a folder anew, where it is not of these sources already. */
async function make(folder, title, inputs, into) {
  const digest = digestOf(inputs);
  const stamp = join(folder, stampFile);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  const started = Date.now();
  console.error(`${title} …`);
  const draft = `${folder}.${process.pid}`;
  try {
    await into(draft);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  writeFileSync(join(draft, stampFile), digest);
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  console.error(`${title}: done in ${seconds(started)}.`);
}

async function program(args, options = {}) {
  const code = await run(process.execPath, args, { heartbeat: 'still building', ...options });
  if (code !== 0) throw new SetUpError('The build failed; the lines above name the files and the faults.');
}

async function compileService(draft) {
  await program([join('scripts', 'compile.mjs'), draft]);
  // npx runs it as a program.
  chmodSync(join(draft, 'src', 'cli.js'), 0o755);
}

/** Types of the API from the document that is committed, the bundle, and each file of it compressed as well as can be. */
async function bundlePortal(draft) {
  const packages = join(root, 'node_modules');
  const api = join(root, 'openapi', 'portal-catalog.openapi.json');
  const generator = join(packages, 'openapi-typescript', 'bin', 'cli.js');
  const cwd = join(root, 'ui');
  const stdio = ['ignore', 'ignore', 'inherit'];
  await program(
    [generator, api, '--output', join('generated', 'api.ts'), '--default-non-nullable', 'false'],
    { cwd, stdio },
  );
  const bundler = join(packages, 'vite', 'bin', 'vite.js');
  await program([bundler, 'build', '--logLevel', 'warn', '--outDir', draft], { cwd });
  const assets = join(draft, 'assets');
  for (const file of readdirSync(assets).filter((name) => /\.(?:js|css|svg)$/.test(name))) {
    const bytes = readFileSync(join(assets, file));
    writeFileSync(
      join(assets, `${file}.br`),
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    );
    writeFileSync(join(assets, `${file}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

function digestOf(inputs) {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap(filesOf).sort()) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesOf(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { recursive: true })
    .map((file) => join(path, file))
    .filter((file) => /\.(ts|tsx|css|svg|json)$/.test(file) && !file.endsWith('.spec.ts'));
}

export function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(0)} s`;
}

/**
 * Which lanes were asked for, by `--lane unit,slow` or by their bare names first, and what goes to jest.
 *
 * @template {{ name: string }} Lane
 * @param {Lane[]} usual all of these run where none is named
 * @param {Lane[]} others may be named, too
 */
export function readArguments(usual, others = []) {
  const args = process.argv.slice(2).flatMap((arg) => (arg.startsWith('--lane=') ? arg.split('=') : [arg]));
  const all = [...usual, ...others];
  const at = args.indexOf('--lane');
  const asked = at < 0 ? [] : (args.splice(at, 2)[1] ?? '').split(',');
  while (at < 0 && all.some(({ name }) => name === args[0])) asked.push(args.shift());
  const unknown = asked.find((name) => !all.some((lane) => lane.name === name));
  if (unknown !== undefined)
    throw new SetUpError(
      `There is no lane '${unknown}'. The lanes are ${usual.map(({ name }) => name).join(', ')}.`,
    );
  return { chosen: asked.length === 0 ? usual : all.filter(({ name }) => asked.includes(name)), rest: args };
}

/** Runs a script's work; a SetUpError becomes one sentence on stderr and exit code 1. */
export async function main(work) {
  try {
    requireNode();
    await work();
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}
