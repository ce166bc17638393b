import { Injectable } from '@nestjs/common';
import type { GraphAnswer } from './answer.types.js';

export type { GraphAnswer } from './answer.types.js';
import { dslAnswer } from './dsl-schema.js';
import { GraphQueries, type Asking } from './graph-query.service.js';
import { memberRows } from './condensed-schema.js';
import { answerText, dslText, responseFormatText, schemaText, toonText } from './llm-text.js';
import { refuseOtherVersions, responseFormatAnswer, type Pins } from './response-format.js';
import { schemaAnswer, type SchemaWish } from './schema-answer.js';
import { wholeRows } from './whole-rows.js';

/** An answer as it is, and for a model. */
export interface Told {
  readonly value: object;
  readonly text: string;
}

/** The graph for the floors above: queries, and all that describes them. */
@Injectable()
export class GraphReader {
  constructor(private readonly queries: GraphQueries) {}

  /**
   * Throws Invalid `invalid_graph_query` with every fault, Problem 403 and 429, and Invalid
   * `format_version_unsupported` or `language_version_unsupported` where another one is pinned.
   */
  answer(query: unknown, asking: Asking, pins: Pins = {}): Promise<GraphAnswer> {
    refuseOtherVersions(pins);
    return this.queries.answer(query, asking);
  }

  status(asking: Omit<Asking, 'format'>): Promise<object> {
    return this.queries.status(asking);
  }

  /** Throws Invalid where a name is not one of the graph's. */
  schema(wish: SchemaWish): Told {
    const value = schemaAnswer(wish);
    return { value, text: schemaText(value) };
  }

  dsl(): Told {
    return { value: dslAnswer(), text: dslText() };
  }

  responseFormat(): Told {
    return { value: responseFormatAnswer(), text: responseFormatText() };
  }

  /** An answer for a model. */
  text(answer: GraphAnswer): string {
    return answerText(answer);
  }

  /** Anything else for a model. */
  textOf(value: object): string {
    return toonText(value);
  }

  /** The members of a JSON Schema as rows, for texts to models. */
  membersOf(schema: unknown): readonly object[] {
    return memberRows(schema);
  }

  /** The same where the rows say all of the schema, else undefined. */
  wholeMembersOf(schema: unknown): readonly object[] | undefined {
    return wholeRows(schema);
  }
}
