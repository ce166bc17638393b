import type { Database, Sql, Walled } from '../../src/eventsourcing/sql.js';

/** The same database; `hear` is told of every statement that is sent to it. */
export function overheard(database: Database, hear: (text: string) => void): Database {
  const said = (sql: Sql): Sql => ({
    query: (...call) => {
      hear(call[0]);
      return sql.query(...call);
    },
  });
  const way = (walled: Walled): Walled => ({
    ...said(walled),
    transaction: (work) =>
      walled.transaction((tx) =>
        work({
          ...said(tx),
          send: (...call) => {
            hear(call[0]);
            tx.send(...call);
          },
        }),
      ),
  });
  return {
    embedded: database.embedded,
    of: (hostId) => way(database.of(hostId)),
    acrossHosts: way(database.acrossHosts),
    asOwner: way(database.asOwner),
    session: () => database.session(),
  };
}
