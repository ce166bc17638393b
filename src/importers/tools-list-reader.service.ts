import { Injectable } from '@nestjs/common';
import { Invalid } from '../eventsourcing/errors.js';
import { offeredFacts } from '../formats/endpoint-facts.js';
import { ImportPool } from './import-pool.js';
import { ToolsListReading, type ReadToolsList } from './import.port.js';

/** Reads lists in the same workers as documents. */
@Injectable()
export class ToolsListReader extends ToolsListReading {
  constructor(private readonly pool: ImportPool) {
    super();
  }

  async read(tools: readonly unknown[]): Promise<ReadToolsList> {
    if (tools.length === 0) return { offers: [], warnings: [] };
    const body = Buffer.from(JSON.stringify({ document: { tools }, format: 'mcp' }));
    const { document, refusal } = await this.pool.read({
      body,
      mediaType: 'application/json',
      holds: 'document',
    });
    if (document !== undefined) {
      const offers = document.offers.map((offer) => ({ digest: offer.digest, facts: offeredFacts(offer) }));
      return { offers, warnings: document.warnings };
    }
    throw new Invalid(refusal?.code ?? 'unreadable', refusal?.detail ?? 'The list can’t be read.');
  }
}
