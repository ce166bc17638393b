import { Command } from 'commander';
import { settingRows } from '../platform/config/settings.js';

const examples = `
Examples:
  On the embedded database in .data, on a free port:
    $ PORT=0 portal-catalog serve
  On a PostgreSQL, with the tokens of an issuer:
    $ DATABASE_URL=postgresql://portal@db/portal AUTH_JWKS_URI=https://login.example/jwks \\
        AUTH_ISSUER=https://login.example AUTH_AUDIENCE=portal-catalog portal-catalog serve`;

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service in this process until SIGTERM')
    .addHelpText('after', `${examples}\n\nIt is configured by environment variables:\n${settingLines()}`)
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
