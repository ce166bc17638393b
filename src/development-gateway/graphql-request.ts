import type { Target } from './target.js';

/** Sends an operation of GraphQL over HTTP. */
export async function postGraphql(
  { url, session, headers }: Target,
  body: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await session.fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json, application/json',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}
