import { Body, Controller, Post } from '@nestjs/common';
import type { Caller } from '../platform/auth/caller.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf } from '../platform/http/parameters.js';
import { CatalogSearch } from './catalog-search.lookup.js';
import { searchExample } from './search.examples.js';
import { searchAnswer, searchBody, type SearchAnswer, type SearchBody } from './search.schemas.js';

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
