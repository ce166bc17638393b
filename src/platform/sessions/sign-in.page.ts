import { STATUS_CODES } from 'node:http';
import type { Problem } from '../http/problem.js';

/** A page for whoever could not be signed in: what was wrong, and where to go from there. No script, no style, nothing from elsewhere. */
export function signInPage({ status, code, message }: Problem, again: string, home: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escaped(STATUS_CODES[status] ?? 'Not signed in')}</title>
  </head>
  <body>
    <main>
      <h1>You are not signed in</h1>
      <p>${escaped(message)}</p>
      <p><a href="${escaped(again)}">Sign in</a> or go to <a href="${escaped(home)}">the first page</a>.</p>
      <p><small>${escaped(code)}</small></p>
    </main>
  </body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${String(sign.codePointAt(0))};`);
}
