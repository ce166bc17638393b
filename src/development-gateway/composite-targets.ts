import type { RouterCredential, RouterStep, RouterTool } from '../gateways/shared.js';
import { CallFault } from './call-result.js';

/** Where a call goes, and the credential that the exposure names for it. */
export interface Destination {
  readonly url: URL;
  readonly auth: RouterCredential | undefined;
}

/** Where a tool is called that goes to one place. Throws CallFault `no_target`. */
export function destinationOf({ name, targetHost, toolMetadata }: RouterTool): Destination {
  if (targetHost !== undefined) return { url: new URL(targetHost), auth: toolMetadata.runtime?.auth };
  throw new CallFault(
    'no_target',
    `Nobody has said where calls of ${name} go: give its exposure an address (targetHost).`,
  );
}

/**
 * Where each API of the steps is, by the name that the steps write: as `runtime.targets` says, or, where the tool calls one API alone, its
 * targetHost. Throws CallFault `no_target`: a request meant for one API never goes to another.
 */
export function destinationsOf(
  tool: RouterTool,
  steps: readonly RouterStep[],
): ReadonlyMap<string, Destination> {
  const { name, composite, toolMetadata } = tool;
  const { targets } = toolMetadata.runtime ?? {};
  const apis = new Set((composite?.alternatives ?? []).flatMap((each) => each.steps.map(({ api }) => api)));
  return new Map(
    [...new Set(steps.map(({ api }) => api))].map((api): [string, Destination] => {
      const [apiId] = api.split('@');
      const found = targets?.find((each) => each.api === api) ?? targets?.find((each) => each.api === apiId);
      if (found !== undefined) return [api, { url: new URL(found.targetHost), auth: found.auth }];
      if (targets === undefined && apis.size === 1) return [api, destinationOf(tool)];
      const detail = `The gateway does not know where ${api} is, which ${name} calls: name it in runtime.targets of the exposure.`;
      throw new CallFault('no_target', detail);
    }),
  );
}
