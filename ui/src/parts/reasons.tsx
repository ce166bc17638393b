import { useTexts } from '../texts/texts.tsx';
import { To } from './to.tsx';

/** Why a tool is not given, or can't be called, in words. One that this page does not know is shown as the service says it. */
export function useReasons(): (reason: string) => string {
  const { reasons } = useTexts();
  const known: Readonly<Record<string, string>> = reasons;
  return (reason) => known[reason] ?? reason.replaceAll('_', ' ');
}

interface Subject {
  readonly reason: string;
  readonly agentDefId?: string | undefined;
  readonly skillId?: string | undefined;
  readonly toolId?: string | undefined;
  /** The gateway that it was found at, where it was one. */
  readonly gatewayId?: string | undefined;
}

const ofProfile = ['sensitivity_tier_exceeds_policy', 'persona_mismatch', 'domain_mismatch'];
const ofLink = [
  ...['access_level_too_low', 'skill_without_active_tool', 'destructive_tool_requires_approval_workflow'],
  'approval_required_missing_workflow',
];
const ofGateways = [
  'not_exposed',
  'no_gateway',
  'gateway_not_asked',
  'missing_from_gateway',
  'policy_blocked',
];
const ofVersions = ['version_not_approved', 'version_overdue', 'version_ends_soon'];

/** A link to where the reason can be mended; nothing where no screen does that. */
export function Mend({ reason, agentDefId, skillId, toolId, gatewayId = '' }: Subject) {
  const { mends } = useTexts();
  if (gatewayId !== '') return <To to={`/gateways/${gatewayId}?tab=drift`}>{mends.gateway}</To>;
  if (ofProfile.includes(reason) && agentDefId !== undefined)
    return <To to={`/agents/${agentDefId}?tab=profile`}>{mends.profile}</To>;
  if (ofLink.includes(reason) && skillId !== undefined)
    return <To to={`/skills/${skillId}?tab=tools`}>{mends.link}</To>;
  if (ofGateways.includes(reason)) return <To to="/gateways">{mends.gateways}</To>;
  if (reason.startsWith('skill_') && skillId !== undefined)
    return <To to={`/skills/${skillId}`}>{mends.skill}</To>;
  if (reason === 'agent_inactive' || toolId === undefined) return null;
  if (ofVersions.includes(reason)) return <To to={`/tools/${toolId}?tab=versions`}>{mends.versions}</To>;
  return <To to={`/tools/${toolId}`}>{mends.tool}</To>;
}
