/** What a browser is given under `/docs`, beside Swagger UI itself. */

/** Claim `client_id` of the tokens that the page asks for: events and the log show by it what was tried there. */
export const pageClient = 'portal-catalog-docs';

/** @param tokenPath where the page may ask for a token, if it may */
export function docsPage(tokenPath: string | undefined): string {
  const token = tokenPath === undefined ? '' : ` data-token="${tokenPath}"`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Portal catalog</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="documents"${token}></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;
}

/**
 * Starts Swagger UI, which keeps the token that is entered there over a reload. Where the page may ask for one, it does, unless
 * another that still holds was entered. The host is that of the token.
 */
export const startScript = `
const { token: tokenPath } = document.getElementById('documents').dataset;

const claimsOf = (token) => {
  try {
    return JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return {};
  }
};

const kept = () => {
  try {
    return JSON.parse(localStorage.getItem('authorized')).token.value;
  } catch {
    return '';
  }
};

const newToken = async () => {
  const answer = await fetch(tokenPath, { method: 'POST' });
  return answer.ok ? (await answer.json()).token : undefined;
};

const start = async () => {
  const document = await (await fetch('/openapi.json')).json();
  const own = claimsOf(kept());
  const holds = own.exp * 1000 > Date.now() && own.client_id !== '${pageClient}';
  const token = holds || tokenPath === undefined ? undefined : await newToken();
  const { host } = token === undefined ? own : claimsOf(token);
  if (host !== undefined) document.components.parameters.HostId.example = host;
  const ui = SwaggerUIBundle({
    spec: document,
    dom_id: '#documents',
    deepLinking: true,
    validatorUrl: null,
    persistAuthorization: true,
    onComplete: () => token !== undefined && ui.preauthorizeApiKey('token', token),
  });
};

start();
`.trimStart();
