import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { JsonObject } from '../documents/json.js';
import { canonicalJson } from '../kernel/canonical-json.js';
import { type Fault, Invalid } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import { type KeptComposite, writtenCall, writtenComposite } from '../registry/shared.js';
import type { CallFault, CallingVersion } from '../tools/public.js';
import type { OperationResult } from './check-operation.worker.js';
import { ImportPool } from './import-pool.js';
import { type Incoming, type StepFacts, stepFacts } from './step-facts.lookup.js';

/** Operations that one task holds against a schema: reading that takes longer than a few hundred of them. */
const AT_ONCE = 200;
/** Of one operation: what is told of its faults, and how much of each. */
const [MOST, LONGEST] = [5, 500];

type Checked = Parameters<ImportPool['checkAll']>[0]['calls'][number];

/** Holds the written operations and steps that call an API against another document of it, off the main thread. */
@Injectable()
export class HeldOperations {
  constructor(private readonly pool: ImportPool) {}

  /**
   * What is wrong with each of the versions after an import, in their order; null where it fits. Versions that call the same with
   * the same arguments are looked at once. One that was stored before pushes refused schemas that branch too often to be tried can't be
   * judged by its arguments: it gets no fault for them, since nothing is known of it, and nobody can mend what is stored.
   */
  async faultsOf(
    sql: Sql,
    hostId: string,
    versions: readonly CallingVersion[],
    incoming: Incoming,
  ): Promise<readonly (CallFault | null)[]> {
    const wanted = new Map<string, CallingVersion>();
    const keys = versions.map((version) => {
      const { call, inputSchema } = version;
      const key = createHash('sha256').update(canonicalJson({ call, inputSchema })).digest('base64');
      wanted.set(key, version);
      return key;
    });
    const found = new Map<string, CallFault | null>();
    const { packed } = incoming;
    const single = [...wanted].flatMap(([key, { call, inputSchema }]) =>
      'alternatives' in call
        ? []
        : [[key, { call: writtenCall(call), inputSchema: inputSchema as JsonObject }] as const],
    );
    for (let from = 0; packed !== undefined && from < single.length; from += AT_ONCE)
      for (const [key, fault] of await this.judged(hostId, single.slice(from, from + AT_ONCE), packed))
        found.set(key, fault);
    const several = [...wanted].flatMap(([key, { call, inputSchema }]) =>
      'alternatives' in call ? [{ key, call, inputSchema: inputSchema as JsonObject }] : [],
    );
    const facts = await stepFacts(
      sql,
      hostId,
      several.map(({ call }) => call),
      incoming,
    );
    for (const [place, { key, call, inputSchema }] of several.entries()) {
      const known = facts[place];
      if (known !== undefined) found.set(key, await this.judgedSteps(hostId, { call, inputSchema }, known));
    }
    return keys.map((key) => found.get(key) ?? null);
  }

  private async judgedSteps(
    hostId: string,
    { call, inputSchema }: { readonly call: KeptComposite; readonly inputSchema: JsonObject },
    facts: StepFacts,
  ): Promise<CallFault | null> {
    try {
      const composite = writtenComposite(call);
      const task = { composite, inputSchema, readOnlyHint: false, ...facts };
      const { faults } = await this.pool.checkSteps(task, hostId);
      return faultOfSteps(call, faults);
    } catch (error) {
      if (!(error instanceof Invalid && error.code === 'document_too_expensive')) throw error;
      return tooExpensive;
    }
  }

  /** Of those that are too expensive together each by itself; one that still is may fail, for all that is known. */
  private async judged(
    hostId: string,
    calls: readonly (readonly [string, Checked])[],
    packed: string,
  ): Promise<readonly (readonly [string, CallFault | null])[]> {
    try {
      const task = { calls: calls.map(([, call]) => call), packed };
      const { results } = await this.pool.checkAll(task, hostId);
      return calls.map(([key], place) => [key, faultOf(results[place])]);
    } catch (error) {
      if (!(error instanceof Invalid && error.code === 'document_too_expensive')) throw error;
      const [only] = calls;
      if (calls.length === 1 && only !== undefined) return [[only[0], tooExpensive]];
      const half = Math.ceil(calls.length / 2);
      const halves = [calls.slice(0, half), calls.slice(half)];
      const judged = [];
      for (const part of halves) judged.push(...(await this.judged(hostId, part, packed)));
      return judged;
    }
  }
}

const tooExpensive: CallFault = {
  code: 'variables_unfit',
  details: ['It takes too long to hold its variables against the schema. Simplify its inputSchema.'],
};

/** An operation that the schema does not take fails whatever it is called with; variables may do for some arguments. */
function faultOf(result: OperationResult | undefined): CallFault | null {
  const faults = result?.faults ?? [];
  if (faults.length === 0) return null;
  const isOperation = faults.some(({ pointer }) => pointer === '/graphql/operation');
  return {
    code: isOperation ? 'operation_unfit' : 'variables_unfit',
    details: faults.slice(0, MOST).map(({ detail }) => detail.slice(0, LONGEST)),
  };
}

/** Where an alternative is left, agents are given the tool on: many of its calls do. */
function faultOfSteps({ alternatives }: KeptComposite, faults: readonly Fault[]): CallFault | null {
  if (faults.length === 0) return null;
  const broken = new Set<number>();
  const details = faults.map(({ pointer, detail }) => {
    const [, place, index] = /^\/composite\/alternatives\/(\d+)(?:\/steps\/(\d+))?/.exec(pointer) ?? [];
    if (pointer.endsWith('/graphql/operation')) broken.add(Number(place));
    const alternative = alternatives[Number(place)];
    const step = alternative?.steps[Number(index)];
    const at = [alternative?.when, step?.id].filter((name) => name !== undefined).join(', step ');
    return `${at}: ${detail}`.slice(0, LONGEST);
  });
  const code = broken.size === alternatives.length ? 'operation_unfit' : 'variables_unfit';
  return { code, details: details.slice(0, MOST) };
}
