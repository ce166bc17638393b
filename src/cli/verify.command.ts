import { Command } from 'commander';
import { LogVerifier, type HostVerdict } from '../eventsourcing/log-verifier.js';
import { printAnswer } from './answer.js';
import { CliFault, exitCodes } from './cli-fault.js';
import { checkHost } from './host-option.js';
import { databaseHelp, withDatabase } from './open-catalog.js';
import { withProgress } from './progress.js';

interface VerifyOptions {
  readonly host?: string;
  readonly anchor?: readonly string[];
  readonly json?: boolean;
}

const examples = `${databaseHelp}

An anchor is hostId:position:hash of a log's last event. Keep it elsewhere: with it, a log that was rewritten from end to
end is still found. Exit code 5 where a log is not what was written.

Examples:
  $ portal-catalog verify
  $ portal-catalog verify --host 0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01 --anchor "$(cat last-anchor.txt)"`;

export function verifyCommand(): Command {
  return new Command('verify')
    .description('check that the logs are what was written: nothing added, altered, removed or reordered')
    .option('--host <hostId>', 'only this host’s log')
    .option('--anchor <anchor...>', 'what the log was earlier: hostId:position:hash')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', examples)
    .action(async ({ host, anchor = [], json }: VerifyOptions) => {
      if (host !== undefined) checkHost(host);
      const verdicts = await withProgress('Verifying', (say) =>
        withDatabase((database) =>
          new LogVerifier(database).verify({
            hostId: host,
            anchors: anchor,
            onProgress: (hostId, events) => {
              say(`${hostId}: ${events} events`);
            },
          }),
        ),
      );
      printAnswer(json, JSON.stringify({ hosts: verdicts }), () => verdicts.flatMap(described));
      const faulty = verdicts.filter(({ fault }) => fault !== undefined);
      if (faulty.length > 0) {
        const hosts = faulty.map(({ hostId }) => hostId).join(', ');
        throw new CliFault(exitCodes.altered, `Not what was written: the log of ${hosts}.`);
      }
    });
}

function described({ hostId, events, fault, erased, anchor }: HostVerdict): string[] {
  return [
    `host ${hostId}: ${events} events ${fault === undefined ? 'as they were written' : 'before the fault'}`,
    ...(fault === undefined ? [] : [`  ${fault.finding} at position ${fault.position}: ${fault.detail}`]),
    ...erased.map((event) => `  data erased at position ${event.position}: ${event.event_type} ${event.id}`),
    `  anchor ${anchor}`,
  ];
}
