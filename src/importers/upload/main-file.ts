import { recognise } from '../detect-format.js';
import { UnreadableDocument, type Json } from '../imported.js';

const USUAL = /(^|\/)(openapi|swagger|lightapi|openrpc|api|index|main|root|spec)[^/]*$/i;

/**
 * The file that is the description: the one that is named; else of those that are one (of the format wanted) the
 * one nearest to the top, and of several there the one with a usual name.
 *
 * @throws UnreadableDocument `main_unknown` where there is none, or more than one
 */
export function mainFile(
  documents: ReadonlyMap<string, Json>,
  named: string | undefined,
  wanted: string | undefined,
): string {
  if (named !== undefined) {
    if (documents.has(named)) return named;
    throw unknown(`There is no readable file ${named}`, documents.keys());
  }
  const known = [...documents].flatMap(([path, document]) => {
    const format = recognise(document);
    return format === undefined ? [] : [{ path, format }];
  });
  const fitting = known.filter(({ format }) => format === wanted);
  const candidates = (fitting.length > 0 ? fitting : known).map(({ path }) => path);
  const depth = Math.min(...candidates.map(depthOf));
  const top = candidates.filter((path) => depthOf(path) === depth);
  const usual = top.filter((path) => USUAL.test(path));
  const [first, ...others] = usual.length === 1 ? usual : top;
  if (first !== undefined && others.length === 0) return first;
  const why = first === undefined ? 'None of the files is a description' : 'Several files are descriptions';
  throw unknown(why, first === undefined ? documents.keys() : top);
}

const depthOf = (path: string): number => path.split('/').length;

function unknown(why: string, paths: Iterable<string>): UnreadableDocument {
  const listed = [...paths].slice(0, 10).join(', ');
  return new UnreadableDocument(
    'main_unknown',
    `${why}: ${listed}. Name the one to import as \`main\`, and send the files that it needs along.`,
    '/main',
  );
}
