import { Invalid } from '../eventsourcing/errors.js';
import type { WorkerAnswer } from './import-worker.messages.js';
import type { ImportedEnrichment, ImportedOperation } from './imported.js';
import type { LayerOffer } from './layer-offer.js';
import { offerIn, schemaIn } from './offer-message.js';
import type { ReadResult } from './read-import.worker.js';

/** Puts the parts of an answer together, and asks for the next one after each. */
export function collector(
  done: (result: ReadResult) => void,
  fail: (reason: Error) => void,
  proceed: () => void,
): (answer: WorkerAnswer) => void {
  const schemas: Record<string, unknown>[] = [];
  const offers: LayerOffer[] = [];
  const operations: ImportedOperation[] = [];
  const spec: string[] = [];
  let words: Omit<ImportedEnrichment, 'operations'> | undefined;
  let head: Extract<WorkerAnswer, { part: 'head' }> | undefined;
  const result = (): ReadResult => {
    const { part: _, document, ...rest } = head as Extract<WorkerAnswer, { part: 'head' }>;
    const enrichment = words && { enrichment: { ...words, operations } };
    return {
      ...rest,
      ...(document && { document: { ...document, spec: spec.join(''), offers, ...enrichment } }),
    };
  };
  return (answer) => {
    if (answer.part === 'failed') fail(reasonOf(answer));
    else if (answer.part === 'done') done(result());
    else {
      if (answer.part === 'head') head = answer;
      if (answer.part === 'spec') spec.push(answer.text);
      if (answer.part === 'schemas') schemas.push(...answer.texts.map(schemaIn));
      if (answer.part === 'offers') offers.push(...answer.offers.map((offer) => offerIn(offer, schemas)));
      if (answer.part === 'enrichment') words = JSON.parse(answer.json) as typeof words;
      if (answer.part === 'operations') operations.push(...(JSON.parse(answer.json) as ImportedOperation[]));
      proceed();
    }
  };
}

function reasonOf({ code, detail, pointer = '' }: Extract<WorkerAnswer, { part: 'failed' }>): Error {
  if (code === undefined) return new Error(`The import worker failed: ${detail}`);
  return new Invalid(code, detail, [{ pointer, detail }]);
}
