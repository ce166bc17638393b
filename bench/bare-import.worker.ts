import { parseSample, type Sample } from './corpus.js';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** A text for each operation, as it stands in the document; one for the whole where it is in another language. */
function operationsOf(parsed: unknown): string[] {
  const { paths, tools, methods } = parsed as Readonly<Record<string, unknown>>;
  if (typeof paths !== 'object' || paths === null)
    return (Array.isArray(tools ?? methods) ? ((tools ?? methods) as unknown[]) : [{}]).map((each) =>
      JSON.stringify(each),
    );
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as object)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => JSON.stringify({ path, method, operation: operation as unknown })),
  );
}

process.on('message', (body: Uint8Array) => {
  process.send?.(operationsOf(parseSample(JSON.parse(Buffer.from(body).toString()) as Sample)));
});
