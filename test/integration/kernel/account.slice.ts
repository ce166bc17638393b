import { v5, v7 } from 'uuid';
import type { UnitOfWork } from '../../../src/kernel/unit-of-work.js';
import { Command, type WriteContext, type Decider } from '../../../src/kernel/command.js';
import { NotFound, RuleBroken } from '../../../src/kernel/errors.js';
import { eventType, type RecordedEvent, type EventOf } from '../../../src/kernel/event.js';
import { aggregate, type Projection, type Reaction, type Slice } from '../../../src/kernel/slice.js';
import type { Database, Sql } from '../../../src/kernel/sql.js';
import { RowChanges, tableOf } from '../../../src/platform/database/row-changes.js';

/** A small domain to try the kernel with: accounts with a name that is unique while they are open, and an audit. */

const accountOpened = eventType({
  type: 'AccountOpenedEvent',
  aggregateType: 'Account',
  version: 2,
  schema: {
    type: 'object',
    properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
    required: ['name', 'tags'],
    additionalProperties: false,
  },
  // Version 1 had no tags.
  upcasters: { 1: (data) => ({ tags: [], ...(data as object) }) },
} as const);

const accountRenamed = eventType({
  type: 'AccountRenamedEvent',
  aggregateType: 'Account',
  version: 1,
  schema: {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  },
} as const);

const accountClosed = eventType({
  type: 'AccountClosedEvent',
  aggregateType: 'Account',
  version: 1,
  schema: { type: 'object', properties: {}, additionalProperties: false },
} as const);

const auditNoted = eventType({
  type: 'AuditNotedEvent',
  aggregateType: 'Audit',
  version: 1,
  restates: 'note',
  schema: {
    type: 'object',
    properties: { note: { type: 'string' } },
    required: ['note'],
    additionalProperties: false,
  },
} as const);

type AccountEvent =
  EventOf<typeof accountOpened> | EventOf<typeof accountRenamed> | EventOf<typeof accountClosed>;

export interface Account {
  readonly status: 'none' | 'open' | 'closed';
  readonly name: string;
}

export class OpenAccount extends Command<{ name: string; tags?: string[] }> {
  readonly aggregateType = 'Account';
  override readonly createsStream: boolean = true;
}
export class RenameAccount extends Command<{ name: string }> {
  readonly aggregateType = 'Account';
}
export class CloseAccount extends Command {
  readonly aggregateType = 'Account';
}
class NoteAudit extends Command<{ note: string }> {
  readonly aggregateType = 'Audit';
}

const accountDecider: Decider<Account, OpenAccount | RenameAccount | CloseAccount, AccountEvent> = {
  aggregateType: 'Account',
  initial: { status: 'none', name: '' },
  decide(command, state) {
    if (command instanceof OpenAccount) {
      if (state.status !== 'none') throw new RuleBroken('account_exists', 'There is such an account.');
      const { name, tags = [] } = command.payload;
      return [{ type: 'AccountOpenedEvent', data: { name, tags } }];
    }
    if (state.status === 'none') throw new NotFound('account', command.aggregateId);
    if (command instanceof CloseAccount)
      return state.status === 'open' ? [{ type: 'AccountClosedEvent', data: {} }] : [];
    if (command.payload.name === state.name) return [];
    return [{ type: 'AccountRenamedEvent', data: { name: command.payload.name } }];
  },
  evolve(state, event) {
    switch (event.type) {
      case 'AccountOpenedEvent':
        return { status: 'open', name: event.data.name };
      case 'AccountRenamedEvent':
        return { ...state, name: event.data.name };
      case 'AccountClosedEvent':
        return { ...state, status: 'closed' };
    }
  },
};

const auditDecider: Decider<number, NoteAudit, EventOf<typeof auditNoted>> = {
  aggregateType: 'Audit',
  initial: 0,
  decide: (command) => [{ type: 'AuditNotedEvent', data: { note: command.payload.note } }],
  evolve: (notes) => notes + 1,
};

/** Every name of an account is noted in its audit, whose id follows from the account's. */
const auditReaction: Reaction = {
  name: 'audit',
  on: ['AccountRenamedEvent'],
  react: (changes) =>
    Promise.resolve(
      changes.map((cause) => ({
        cause,
        command: new NoteAudit(cause.command.hostId, auditIdOf(cause.id), {
          note: (cause.after as Account).name,
        }),
      })),
    ),
};

export const auditIdOf = (accountId: string): string => v5('audit', accountId);

export interface AccountRow {
  readonly host_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly tags: string[];
  readonly history: unknown;
  readonly active: boolean;
  readonly aggregate_version: number;
  readonly update_ts: string;
  readonly position: number;
}

export const accountRows = tableOf<AccountRow>('account_t', ['host_id', 'account_id'], {
  host_id: 'uuid',
  account_id: 'uuid',
  name: 'varchar',
  tags: 'text[]',
  history: 'jsonb',
  active: 'boolean',
  aggregate_version: 'bigint',
  update_ts: 'timestamptz',
  position: 'bigint',
});

export const accountTables = `
  CREATE TABLE account_t (host_id uuid NOT NULL, account_id uuid NOT NULL, name varchar(200) NOT NULL,
    tags text[] NOT NULL, history jsonb, active boolean NOT NULL, aggregate_version bigint NOT NULL,
    update_ts timestamptz(3) NOT NULL, position bigint NOT NULL, PRIMARY KEY (host_id, account_id));
  CREATE UNIQUE INDEX account_name_uk ON account_t (host_id, name) WHERE active;`;

const accountsProjection: Projection = {
  name: 'accounts',
  tables: ['account_t'],
  handles: ['AccountOpenedEvent', 'AccountRenamedEvent', 'AccountClosedEvent'],
  apply(tx, events) {
    const rows = new RowChanges<AccountRow>(accountRows);
    for (const event of events as readonly RecordedEvent<AccountEvent>[]) {
      const key = { host_id: event.host, account_id: event.aggregateid };
      const tail = {
        aggregate_version: event.aggregateversion,
        update_ts: event.time,
        position: event.position,
      };
      if (event.type === 'AccountOpenedEvent') rows.set(key, { ...event.data, ...tail, active: true }, true);
      else if (event.type === 'AccountRenamedEvent') rows.set(key, { ...event.data, ...tail });
      else rows.set(key, { active: false, ...tail });
    }
    rows.write(tx);
  },
};

export const accountSlice: Slice = {
  name: 'accounts',
  events: [accountOpened, accountRenamed, accountClosed, auditNoted],
  aggregates: [
    aggregate(accountDecider, [OpenAccount, RenameAccount, CloseAccount]),
    aggregate(auditDecider, [NoteAudit]),
  ],
  projections: [accountsProjection],
  reactions: [auditReaction],
  uniqueRules: {
    account_name_uk: { code: 'account_name_taken', detail: 'Another open account has this name.' },
  },
};

interface Receipt {
  readonly id: string | undefined;
  readonly version: number | undefined;
  readonly position: number;
  readonly changed: boolean;
}

type Plan = (sql: Sql) => Promise<readonly Command[]> | readonly Command[];

/** A write by one user. */
export function write(
  hostId: string,
  plan: Plan | readonly Command[],
  context: Partial<WriteContext> = {},
): UnitOfWork<Receipt> {
  return {
    context: { hostId, actor: { user: 'ada', clientId: 'test' }, correlationId: v7(), ...context },
    commands: typeof plan === 'function' ? plan : () => plan,
    result: (outcomes, position) => ({
      id: outcomes[0]?.id,
      version: outcomes[0]?.version,
      position,
      changed: outcomes.some(({ changed }) => changed),
    }),
  };
}

/** The same, planned before the host's lock is taken. */
export function preparedWrite(
  hostId: string,
  plan: Plan,
  holds: () => boolean = () => true,
): UnitOfWork<Receipt, readonly Command[]> {
  return {
    ...write(hostId, []),
    prepare: async (sql) => plan(sql),
    commands: (_sql, planned) => (holds() ? planned : 'outdated'),
  };
}

export async function makeAccountTables({ asOwner }: Database): Promise<void> {
  await asOwner.query(accountTables);
  await asOwner.query(`SELECT raise_walls('catalog')`);
}
