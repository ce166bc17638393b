/** Reads the keys of `paths`: `/tags/{id}`, with the expressions of frameworks (`{id:\d+}`), fixed queries and fragments. */

/** Names that the operation declares, by their place. */
export interface DeclaredNames {
  readonly path: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
}

interface Piece {
  readonly text: string;
  /** Whether it is an expression: then the text is what is between its braces. */
  readonly isExpression: boolean;
}

/** A longer expression is none. */
const MAX_EXPRESSION_LENGTH = 200;

/** Splits a template; the expression of a parameter may have braces itself: `{code:[a-z]{2}}`. */
function piecesOf(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let plain = '';
  for (let at = 0; at < template.length; at++) {
    const end = template[at] === '{' ? endOf(template, at) : undefined;
    if (end === undefined) plain += template.charAt(at);
    else {
      pieces.push(
        { text: plain, isExpression: false },
        { text: template.slice(at + 1, end), isExpression: true },
      );
      plain = '';
      at = end;
    }
  }
  return [...pieces, { text: plain, isExpression: false }];
}

/** Finds the brace that closes one; undefined where there is none near, or nothing is between them. */
function endOf(template: string, start: number): number | undefined {
  let depth = 0;
  const last = Math.min(template.length, start + MAX_EXPRESSION_LENGTH + 2);
  for (let at = start; at < last; at++) {
    const unit = template[at];
    if (unit === '\\') at++;
    else if (unit === '{') depth++;
    else if (unit === '}' && --depth === 0) return at > start + 1 ? at : undefined;
  }
  return undefined;
}

/** The name, and the expression that its values match; a name that is declared with the colon in it is kept whole. */
function nameAndPattern(
  expression: string,
  declared: ReadonlySet<string>,
): readonly [string, string | undefined] {
  const [, name, pattern] = /^\s*([^\s:{}/]+)\s*:(.*)$/s.exec(expression) ?? [];
  return name === undefined || declared.has(expression.trim()) ? [expression, undefined] : [name, pattern];
}

const nothing: ReadonlySet<string> = new Set();

/** Cuts off a fragment, which is never sent: `/files#bytes`. */
function withoutFragment(pieces: readonly Piece[]): readonly Piece[] {
  const index = pieces.findIndex(({ text, isExpression }) => !isExpression && text.includes('#'));
  const { text } = pieces[index] ?? {};
  if (text === undefined) return pieces;
  return [...pieces.slice(0, index), { text: text.slice(0, text.indexOf('#')), isExpression: false }];
}

/**
 * The path of a key as it is called: parameters by their names alone, the fragment left out, and of the query what no parameter
 * writes. `/tags/{id:\d+}#old` is called at `/tags/{id}`, and `/find?beta=true&q={q}` with a parameter q of the query at `/find?beta=true`.
 */
export function callablePath(key: string, declared: DeclaredNames): string {
  const written = withoutFragment(piecesOf(key)).map(({ text, isExpression }) =>
    isExpression ? `{${nameAndPattern(text, declared.path)[0]}}` : text,
  );
  const [path, query] = splitQuery(written.join(''));
  const fixed = query?.split('&').filter((pair) => {
    const [, name] = /^[^=]*=\{([^{}]+)\}$/.exec(pair) ?? [];
    return pair !== '' && (name === undefined || !declared.query.has(name.trim()));
  });
  return fixed === undefined || fixed.length === 0 ? path : `${path}?${fixed.join('&')}`;
}

/** A path key may have a query of its own, which every request has. A question mark within an expression (`{?limit}`) begins none. */
export function splitQuery(template: string): readonly [path: string, query: string | undefined] {
  const [, path, query] = /^((?:\{[^{}]*\}|\{(?![^{}]*\})|[^?{])*)\?(.*)$/s.exec(template) ?? [];
  return path === undefined ? [template, undefined] : [path, query];
}

/** What of a key tells its requests from those of others: all but names of parameters, and the fragment. */
export function shapeOfPath(key: string): string {
  const shaped = withoutFragment(piecesOf(key)).map(({ text, isExpression }) =>
    isExpression ? `{${nameAndPattern(text, nothing)[1] ?? ''}}` : text,
  );
  return shaped.join('');
}

/**
 * Lists the names in a callable path, in order, each once: `/a/{b}/{c}` has b and c. Operators of RFC 6570 are none of
 * them: `{+rest}`, `{path*}`, `{?limit}`.
 */
export function templateNames(path: string): readonly string[] {
  const names = [...path.matchAll(/\{([^{}/]{1,200})\}/g)].map(([, expression = '']) =>
    expression
      .trim()
      .replace(/^[+#./;?&]/, '')
      .replace(/\*$/, '')
      .trim(),
  );
  return [...new Set(names.filter((name) => name !== ''))];
}
