/**
 * Makes a fresh clone runnable: installs what package-lock.json names and builds what src/ holds, each only when
 * needed. It imports nothing but node: modules, because it runs before there is a node_modules.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const buildStamp = join(root, 'dist', '.sources.sha256');
const buildInputs = [
  'src',
  'packages',
  'bench',
  'examples',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
  'package-lock.json',
];

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
  // --include=dev: the build needs TypeScript, also where NODE_ENV=production is set.
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

/** Builds dist/ unless it was built from exactly these sources. A failed build leaves the last good one in place. */
export async function build() {
  const digest = sourcesDigest();
  if (existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === digest) return;
  const started = Date.now();
  console.error('Building (half a minute or more) …');
  const dist = join(root, 'dist');
  const draft = `${dist}.${process.pid}`;
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
  const code = await run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', draft], {
    heartbeat: 'still building',
  });
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new SetUpError('The build failed; the lines above name the files and the faults.');
  }
  // npx runs it as a program.
  chmodSync(join(draft, 'src', 'cli.js'), 0o755);
  writeFileSync(join(draft, basename(buildStamp)), digest);
  rmSync(dist, { recursive: true, force: true });
  renameSync(draft, dist);
  console.error(`Built in ${seconds(started)}.`);
}

function sourcesDigest() {
  const hash = createHash('sha256');
  for (const file of buildInputs.flatMap(filesOf).sort()) {
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
  if (/\.json$/.test(path)) return [path];
  return readdirSync(full, { recursive: true })
    .map((file) => join(path, file))
    .filter((file) => /\.(ts|json)$/.test(file) && !file.endsWith('.spec.ts'));
}

export function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(0)} s`;
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
