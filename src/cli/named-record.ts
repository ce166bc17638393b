import { isUuid } from '../platform/validation/validator.js';
import type { CatalogClient } from './catalog-client.js';
import type { CliNoun, Row } from './nouns.js';
import { CliFault, exitCodes, oneLine, parsedAnswer, understood } from './output.js';

/** Rows of one page of a list, the service's limit, and pages that are looked through for a name. */
const pageSize = 500;
const maxPages = 20;
/** Records that are named where a name is that of several. */
const maxCandidates = 10;

/** Which one of several is meant. */
export interface Preference {
  /** The one that is active, or inactive, where only one of them is: by default active. */
  readonly active?: boolean;
  /** Entity type of a category or tag. */
  readonly entityType?: string | undefined;
}

/** Gives the id of a record that is called by its id or by a name. Throws CliFault with the candidates where several are. */
export async function idOf(
  client: CatalogClient,
  noun: CliNoun,
  named: string,
  preference: Preference = {},
): Promise<string> {
  if (isUuid(named.toLowerCase())) return named.toLowerCase();
  return String((await rowOf(client, noun, named, preference))[noun.id]);
}

/** The path of a record, by its id or a name. */
export async function pathOf(
  client: CatalogClient,
  noun: CliNoun,
  named: string,
  active = true,
): Promise<string> {
  return `/${noun.path}/${encodeURIComponent(await idOf(client, noun, named, { active }))}`;
}

/** Finds the row of a record that is called by a name. */
export async function rowOf(
  client: CatalogClient,
  noun: CliNoun,
  named: string,
  { active = true, entityType }: Preference = {},
): Promise<Row> {
  const rows = await rowsFor(client, noun, named);
  const found = rows.filter(
    (row) =>
      noun.names(row).includes(named) && (entityType === undefined || row['entityType'] === entityType),
  );
  const exact = found.filter((row) => noun.names(row).at(-1) === named || row[noun.id] === named);
  for (const among of [exact, found]) {
    const [only, ...others] = preferred(among, active);
    if (only !== undefined && others.length === 0) return only;
  }
  if (found.length === 0)
    throw new CliFault(exitCodes.refused, `There is no ${noun.word} ${named} that the token covers.`);
  throw new CliFault(exitCodes.usage, ambiguous(noun, named, found));
}

function preferred(rows: readonly Row[], active: boolean): readonly Row[] {
  const those = rows.filter((row) => row['active'] === active);
  return those.length === 1 ? those : rows;
}

function ambiguous(noun: CliNoun, named: string, found: readonly Row[]): string {
  const lines = found.slice(0, maxCandidates).map((row) => {
    const state = row['active'] === false ? '  (inactive)' : '';
    return `  ${String(row[noun.id])}  ${oneLine(noun.names(row).at(-1))}${state}`;
  });
  const more = found.length - maxCandidates;
  if (more > 0) lines.push(`  and ${String(more)} more`);
  return `Several are called ${named}: name one ${noun.word} by its id, or by its longer name.\n${lines.join('\n')}`;
}

async function rowsFor(client: CatalogClient, { path, sought }: CliNoun, named: string): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const query = new URLSearchParams({ ...sought(named), active: 'all', limit: String(pageSize) });
    if (cursor !== undefined) query.set('cursor', cursor);
    const answer = parsedAnswer(await client.request('GET', `/${path}?${query.toString()}`));
    const { items, nextCursor } = answer as { readonly items: readonly Row[]; readonly nextCursor?: string };
    understood(() => rows.push(...items));
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return rows;
}
