import { createApplication } from './application.js';
import { exitCodes } from './cli/output.js';
import { DatabaseUnfit } from './kernel/errors.js';
import { greeting, listeningAddress } from './greeting.js';
import { ConfigurationFault, readConfig, requireServable, type Config } from './platform/config/config.js';
import { startNotes } from './platform/config/start-notes.js';
import { DirectoryInUse } from './platform/database/embedded-directory.js';
import { createLog, type Log } from './platform/logging/log.js';
import { loadSampleData } from './sample/sample-data.js';
import { startTracing } from './platform/telemetry/tracing.js';
import { stop, stopLimits } from './stop.js';
import { warmUp } from './warm-up.js';

async function serve(config: Config, log: Log): Promise<void> {
  requireServable(config);
  for (const note of startNotes(config)) log.warn(note);
  const tracing = await startTracing(config.otlpEndpoint);
  const app = await createApplication(config, log);
  if (config.sampleData && (await loadSampleData(app))) log.info('sample data loaded');
  await app.listen({ port: config.port, host: config.host });
  let stopping = false;
  // Kept for good: a terminal and npm may each send a signal, and the second must not cut the orderly stop short.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      log.info({ signal }, 'stopping');
      void stop(app, log, stopLimits, tracing);
    });
  }
  const address = listeningAddress(app.getHttpServer());
  log.info({ address }, 'listening');
  process.stdout.write(await greeting(config, address, process.stdout.isTTY));
  warmUp(app).catch((error: unknown) => {
    log.error({ err: error }, 'the warm-up failed: schemas are compiled at first use instead');
  });
}

/** Logs an error that nobody caught, and ends the process, whose state is unknown then. */
function die(log: Log, error: unknown): void {
  log.fatal({ err: error }, 'the service ends');
  process.exit(1);
}

/** Ends a start that failed: prints one sentence for people, and logs the whole error where the cause is not known. */
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
