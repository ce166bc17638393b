import type { Page } from 'playwright-core';

/** Texts that would do something if they were taken for more than text. */
export const hostileTexts = [
  '<img src=x onerror="window.struck=1">',
  '<script>window.struck=1</script>',
  '<svg onload="window.struck=1"><a href="javascript:window.struck=1">a</a></svg>',
  '[link](javascript:window.struck=1) [data](data:text/html,<script>window.struck=1</script>) [vb](vbscript:x)',
  '![far](https://elsewhere.example/pixel.png)',
  '<iframe srcdoc="<script>parent.struck=1</script>"></iframe>',
  '<style>*{display:none}</style>',
] as const;

/** All of them, as one text of several paragraphs. */
export const hostile = hostileTexts.join('\n\n');

const schema = { type: 'string', description: hostile, enum: hostileTexts, default: hostileTexts[1] };

/** A description of an API that says nothing else, wherever it may say something. */
export const hostileDocument = {
  openapi: '3.1.0',
  info: { title: hostileTexts[0], version: '1', description: hostile },
  paths: {
    '/strange': {
      get: {
        operationId: 'strangeOne',
        summary: hostileTexts[0],
        description: hostile,
        tags: [hostileTexts[1]],
        parameters: [{ name: 'which', in: 'query', description: hostile, schema }],
        responses: {
          200: {
            description: hostile,
            content: {
              'application/json': { schema: { type: 'object', properties: { [hostileTexts[0]]: schema } } },
            },
          },
        },
      },
    },
  },
};

/** What has struck, and how much there is on the page that could. */
export async function strikes(page: Page): Promise<readonly [unknown, number]> {
  const live = 'a[href^="javascript"], a[href^="data:"], iframe, main img, img[onerror], svg[onload]';
  return [await page.evaluate('window.struck'), await page.locator(live).count()];
}
