import { Injectable } from '@nestjs/common';
import { problemOf } from '../platform/http/problem-details.js';
import { Metrics } from '../platform/metrics/metrics.js';
import type { DescribedApiType } from '../formats/formats.js';
import type { ReadResult } from './read-import.worker.js';

/** Counts imports by the format of their document, and by what became of them. */
@Injectable()
export class ImportCounts {
  private readonly imports;

  constructor(metrics: Metrics) {
    this.imports = metrics.counter(
      'catalog_imports_total',
      'Imports of API descriptions, by format (unread: it could not be read) and outcome: done, dry_run, refused, failed.',
      ['format', 'outcome'],
    );
  }

  /** A document that is read and accepted is counted when it is imported. */
  async reading<Read extends Pick<ReadResult, 'refusal'>>(read: () => Promise<Read>): Promise<Read> {
    try {
      const result = await read();
      if (result.refusal !== undefined) this.imports.inc({ format: 'unread', outcome: 'refused' });
      return result;
    } catch (error) {
      throw this.unfinished('unread', error);
    }
  }

  async importing<T>(
    { format, dryRun }: { readonly format: DescribedApiType; readonly dryRun: boolean },
    carryOut: () => Promise<T>,
  ): Promise<T> {
    try {
      const result = await carryOut();
      this.imports.inc({ format, outcome: dryRun ? 'dry_run' : 'done' });
      return result;
    } catch (error) {
      throw this.unfinished(format, error);
    }
  }

  private unfinished(format: DescribedApiType | 'unread', error: unknown): unknown {
    this.imports.inc({ format, outcome: problemOf(error).status < 500 ? 'refused' : 'failed' });
    return error;
  }
}
