import type { Database, Sql, Walled } from '../../src/kernel/sql.js';

/** The same database; `hear` is told of every statement that is sent to it. */
export function overheard(database: Database, hear: (text: string) => void): Database {
  const noted = (text: string): string => {
    hear(text);
    return text;
  };
  return reworded(database, noted);
}

/** The same database, which is sent other statements than it is given. */
export function reworded(database: Database, reword: (text: string) => string): Database {
  const of = database.of.bind(database);
  type Call = Parameters<Sql['query']>;
  /** The name of a statement goes with its text. */
  const call = ([text, values, name]: Call): Call => {
    const said = reword(text);
    return [said, values, said === text ? name : undefined];
  };
  const said = (sql: Sql): Sql => ({ query: (...given) => sql.query(...call(given)) });
  const way = (walled: Walled): Walled => ({
    ...said(walled),
    transaction: (work) =>
      walled.transaction((tx) =>
        work({
          ...said(tx),
          send: (...given) => {
            tx.send(...call(given));
          },
        }),
      ),
  });
  return {
    embedded: database.embedded,
    isBusy: () => database.isBusy(),
    of: (hostId) => way(of(hostId)),
    acrossHosts: way(database.acrossHosts),
    asOwner: way(database.asOwner),
    session: () => database.session(),
  };
}
