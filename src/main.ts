import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApplication } from './application.js';
import { exitCodes } from './cli/cli-fault.js';
import { DatabaseUnfit } from './eventsourcing/errors.js';
import { greeting, listeningAddress } from './greeting.js';
import { ConfigurationFault, readConfig, requireServable, type Config } from './platform/config/config.js';
import { startNotes } from './platform/config/start-notes.js';
import { GracefulStop } from './platform/http/graceful-stop.js';
import { DirectoryInUse } from './platform/database/directory-lock.js';
import { createLog, type Log } from './platform/logging/log.js';
import { loadSampleData } from './sample/sample-data.js';
import { warmUp } from './warm-up.js';

/** Longest wait for requests under way when the service is told to stop. */
const longestDrain = 25_000;
/** Longest stop in all: a database that hangs, or a disk that is full, must not keep the process. */
const longestStop = 35_000;

async function serve(config: Config, log: Log): Promise<void> {
  requireServable(config);
  for (const note of startNotes(config)) log.warn(note);
  const app = await createApplication(config, log);
  if (config.sampleData && (await loadSampleData(app))) log.info('sample data loaded');
  await app.listen({ port: config.port, host: config.host });
  let stopping = false;
  // For good: a terminal and npm may each send one, and the second must not end what the first has begun.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      void stop(app, log, signal);
    });
  }
  const address = listeningAddress(app.getHttpServer());
  log.info({ address }, 'listening');
  process.stdout.write(await greeting(config, address, process.stdout.isTTY));
  warmUp(app).catch((error: unknown) => {
    log.error({ err: error }, 'not all could be made ready ahead: what fails will fail where it is used');
  });
}

/** Finishes what is under way, refuses the rest with 503, closes the database, exits 0 (contract 10). */
async function stop(app: NestFastifyApplication, log: Log, signal: string): Promise<void> {
  log.info({ signal }, 'stopping');
  setTimeout(() => {
    log.error('what was under way did not end in time, and is broken off');
    process.exit(1);
  }, longestStop);
  await app.get(GracefulStop).drain(longestDrain);
  await app.close();
  log.info('stopped');
  process.exit(0);
}

/** What nobody caught leaves the process in an unknown state: it is logged, shortened, and ends it. */
function die(log: Log, error: unknown): void {
  log.fatal({ err: error }, 'the service ends');
  process.exit(1);
}

/** A start that fails is told to a person: one sentence, and the log has the rest where the cause is not known. */
function failToStart(error: unknown): void {
  const { code, message } = explained(error);
  if (code === exitCodes.failed && !(error instanceof DatabaseUnfit))
    createLog('fatal').fatal({ err: error }, 'the service could not start');
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function explained(error: unknown): { readonly code: number; readonly message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigurationFault) return { code: exitCodes.usage, message };
  if (error instanceof DirectoryInUse) return { code: exitCodes.locked, message };
  const reason = error instanceof Error && 'code' in error ? error.code : undefined;
  if (reason === 'EADDRINUSE' || reason === 'EADDRNOTAVAIL' || reason === 'EACCES') {
    const mend = 'Stop what listens there, or set PORT (0 takes a free one) and HOST.';
    return { code: exitCodes.usage, message: `The service can't listen: ${message}. ${mend}` };
  }
  if (typeof reason === 'string' && /^(ECONNREFUSED|ENOTFOUND|28...|3D000)$/.test(reason)) {
    const mend = 'Start it, or mend DATABASE_URL; without it the embedded database serves.';
    return { code: exitCodes.unreachable, message: `The database can't be reached: ${message}. ${mend}` };
  }
  return { code: exitCodes.failed, message };
}

try {
  const config = readConfig();
  const log = createLog(config.logLevel);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      die(log, error);
    });
  }
  await serve(config, log);
} catch (error) {
  failToStart(error);
}
