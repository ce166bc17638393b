import { Body, Controller, Post } from '@nestjs/common';
import type { Caller } from '../platform/auth/caller.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf } from '../platform/http/parameters.js';
import { CatalogSearch } from './catalog-search.lookup.js';
import { searchAnswer, type SearchAnswer, searchBody, type SearchBody } from './search.schemas.js';

const searchExample = {
  body: {
    prompt: 'Which accounts does this customer have?',
    kinds: ['tool'],
    filters: { domain: 'finance' },
    explain: true,
  },
  answer: {
    items: [
      {
        kind: 'tool',
        id: '0199a000-0000-7000-8000-000000000004',
        name: 'getAccounts',
        description: 'List account summaries.',
        score: 0.302,
        keywordScore: 0.39,
        vectorScore: 0.31,
        weight: 1.1,
        matched: [{ term: 'account', share: 0.7, fields: ['name', 'description', 'keywords'] }],
        parts: {
          ...{ words: 0.546, name: 0.5, example: 0, votes: [], share: 0.43, best: 0.39 },
          weight: { semantic: 1, priority: 1, lifecycle: 1, safety: 1.1 },
        },
        related: [
          {
            kind: 'tool',
            id: '0199a000-0000-7000-8000-000000000007',
            name: 'getAccountById',
            reason: 'dependency',
            relation: 'often followed by',
          },
        ],
      },
    ],
  },
} as const;

@Controller('v1/hosts/:hostId/search')
export class SearchController {
  constructor(private readonly catalog: CatalogSearch) {}

  @Post()
  @Operation({
    id: 'searchCatalog',
    summary: 'Find the right tool, skill or endpoint for a prompt',
    description:
      'Filters first, ranking after. With an agent, named in the body or by the token, only its effective catalog ' +
      'is searched, and nothing withheld counts in any score; without one all that the token may read of the host. ' +
      'Tools and endpoints are active ones, as are skills.',
    scope: ['catalog:agent', 'catalog:read'],
    body: searchBody,
    answer: searchAnswer,
    example: searchExample,
    reads: true,
  })
  search(@CallerOf() caller: Caller, @Body() question: SearchBody): Promise<SearchAnswer> {
    return this.catalog.search(caller, question);
  }
}
