/** Compares catalog and gateway: the body of `GET /diagnostics/tools`. Pure. */
import { unapprovedByItself } from '../tool-guard/tool-guard.js';
import type { Settings } from './agent-options.js';
import type { CatalogTool } from './catalog-document.js';
import { listedNames, listedTool, type LiveTools } from './gateway.js';
import type { Findings, PromptFacts } from './prompt-facts.js';
import type { HiddenTool } from './selection.js';

export interface Diagnostics {
  readonly catalogAvailable: boolean;
  readonly catalogHash: string | null;
  readonly catalogVersion: number | null;
  readonly catalogStale: boolean;
  readonly catalogCache: {
    readonly ttlSeconds: number | null;
    readonly staleOnErrorSeconds: number;
    /** Since the service last confirmed it. */
    readonly ageSeconds: number | null;
    readonly fresh: boolean;
    readonly usableOnError: boolean;
  };
  /** Names in the order of the catalog. */
  readonly catalogTools: readonly string[];
  /** Names, best first. */
  readonly selectedTools: readonly string[];
  readonly hiddenTools: readonly HiddenTool[];
  readonly gatewayAvailable: boolean;
  readonly gatewayTools: readonly string[];
  /** Tools of the catalog that the gateway does not list. */
  readonly missingFromGateway: readonly string[];
  /** Tools that only the gateway lists. */
  readonly extraGatewayTools: readonly string[];
  readonly policyBlocked: readonly PolicyBlocked[];
  readonly catalogError: string | null;
  readonly gatewayError: string | null;
}

/**
 * A tool that every gateway blocks by its own metadata. Gateways don't know the approval that a skill's link names.
 */
export interface PolicyBlocked {
  readonly toolName: string;
  /** Names of the skills that offer it. */
  readonly skills: readonly string[];
  readonly reason: 'destructive_tool_requires_approval_workflow' | 'approval_required_missing_workflow';
  readonly sensitivityTier: string;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly destructive: boolean;
  readonly requiresApproval: boolean;
  readonly approvalConfigured: boolean;
}

export function diagnosticsOf(
  { current, live, hidden, facts }: Findings & PromptFacts,
  { staleOnErrorSeconds }: Pick<Settings, 'staleOnErrorSeconds'>,
): Diagnostics {
  const { catalog, state, ageSeconds = null, error = null } = current;
  const listed = live instanceof Error ? [] : [...live.keys()];
  const tools = (catalog?.tools ?? []).map(({ tool }) => tool);
  const names = tools.map(({ name }) => name);
  const inCatalog = new Set(tools.flatMap(listedNames));
  return {
    catalogAvailable: catalog !== undefined,
    catalogHash: catalog?.document.catalogHash ?? null,
    catalogVersion: catalog?.document.catalogVersion ?? null,
    catalogStale: state === 'stale',
    catalogCache: {
      ttlSeconds: catalog?.document.ttlSeconds ?? null,
      ...{ staleOnErrorSeconds, ageSeconds },
      fresh: state === 'fresh',
      usableOnError: catalog !== undefined,
    },
    catalogTools: names,
    selectedTools: facts.tools.map(({ name }) => name),
    hiddenTools: hidden(),
    gatewayAvailable: !(live instanceof Error),
    gatewayTools: listed,
    missingFromGateway: live instanceof Error ? [] : missingNames(tools, live),
    extraGatewayTools: catalog === undefined ? [] : listed.filter((name) => !inCatalog.has(name)),
    policyBlocked: (catalog?.tools ?? []).flatMap(({ tool, skills }) =>
      blockOf(
        tool,
        skills.map(({ name }) => name),
      ),
    ),
    catalogError: error,
    gatewayError: live instanceof Error ? live.message : null,
  };
}

function missingNames(tools: readonly CatalogTool[], live: LiveTools): readonly string[] {
  return tools.filter((tool) => listedTool(tool, live) === undefined).map(({ name }) => name);
}

/** Judges as a gateway does, but for the gateway's limit of sensitivity, which is not known here. */
function blockOf(tool: CatalogTool, skills: readonly string[]): PolicyBlocked[] {
  const { readOnly, idempotent, destructive, humanApprovalRequired } = tool.safety;
  const reason = unapprovedByItself(tool.safety);
  if (reason === undefined) return [];
  return [
    {
      ...{ toolName: tool.name, skills, readOnly, idempotent, destructive },
      reason,
      sensitivityTier: tool.routingMetadata.sensitivityTier,
      requiresApproval: humanApprovalRequired,
      approvalConfigured: false,
    },
  ];
}
