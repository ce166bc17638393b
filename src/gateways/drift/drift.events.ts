import { type EventOf, eventType } from '../../kernel/event.js';

const text = { type: 'string' } as const;
const orNull = { type: ['string', 'null'] } as const;
const finding = {
  type: 'object',
  additionalProperties: false,
  required: ['toolName', 'toolId', 'finding', 'grade', 'reason'],
  properties: {
    ...{ toolName: text, toolId: orNull, finding: text, grade: orNull, reason: orNull },
    /** Of the tool; left out where the finding is about all its versions, and in older events. */
    version: text,
    /** Who has said why it may stay, and the digest of what it said then; left out of findings that are open. */
    dismissed: {
      type: 'object',
      additionalProperties: false,
      required: ['reason', 'by', 'at', 'digest'],
      properties: { reason: text, by: text, at: text, digest: text },
    },
  },
} as const;

/** A check had other findings than the one before. Tools in sync are left out. */
export const gatewayDriftRecorded = eventType({
  type: 'GatewayDriftRecordedEvent',
  aggregateType: 'GatewayDrift',
  version: 1,
  touches: 'nobody',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['checkedAt', 'protocolVersion', 'failure', 'findings'],
    properties: {
      checkedAt: text,
      protocolVersion: orNull,
      /** Why the gateway could not be asked; then there are no findings. */
      failure: {
        type: ['object', 'null'],
        additionalProperties: false,
        required: ['code', 'detail'],
        properties: { code: text, detail: text },
      },
      findings: { type: 'array', items: finding },
    },
  },
});

const settled = {
  aggregateType: 'GatewayDrift',
  version: 1,
  touches: 'nobody',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['checkedAt', 'protocolVersion', 'findings'],
    properties: { checkedAt: text, protocolVersion: text, findings: { type: 'array', items: finding } },
  },
} as const;

/** An operator accepted what the gateway lists; the events beside it say what that changed. */
export const gatewayDriftAccepted = eventType({ type: 'GatewayDriftAcceptedEvent', ...settled });

/** An operator said that findings may stay, until they say something else. */
export const gatewayDriftDismissed = eventType({ type: 'GatewayDriftDismissedEvent', ...settled });

/** An operator took back that findings may stay. */
export const gatewayDriftReopened = eventType({ type: 'GatewayDriftReopenedEvent', ...settled });

export const driftEvents = [
  gatewayDriftRecorded,
  gatewayDriftAccepted,
  gatewayDriftDismissed,
  gatewayDriftReopened,
] as const;

export type DriftRecord = EventOf<typeof gatewayDriftRecorded>['data'];
/** Why a finding may stay as it is, who has said so, and the digest of what it said then. */
export type Dismissal = NonNullable<DriftRecord['findings'][number]['dismissed']>;
export type DriftSettlement = EventOf<typeof gatewayDriftAccepted>['data'];
export type GatewayDriftEvent = EventOf<(typeof driftEvents)[number]>;
