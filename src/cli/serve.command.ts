import { Command } from 'commander';
import { settingRows } from '../platform/config/settings.js';

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service in this process until SIGTERM')
    .addHelpText('after', `\nIt is configured by environment variables:\n${settingLines()}`)
    .action(async () => {
      await import('../main.js');
    });
}

function settingLines(): string {
  return settingRows()
    .map(
      ({ name, meaning, default: preset }) =>
        `  ${name}${preset === '' ? '' : ` (${preset})`}\n      ${meaning}`,
    )
    .join('\n');
}
