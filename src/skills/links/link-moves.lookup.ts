import type { ImpactLookup } from '../../endpoints/public.js';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import type { Moves, VersionLinks } from '../../tools/public.js';
import { skillFactsOf } from '../skill.lookup.js';

/** A link that is given another range. */
interface ChangedLink {
  readonly skillId: string;
  readonly toolId: string;
  readonly range: string | null;
  /** The versions that agents are given by it, before and after; null for none. */
  readonly from: string | null;
  readonly to: string | null;
}

/** The ports by which others say whom it reaches. */
export interface MovePorts {
  readonly impacts: ImpactLookup;
  readonly links: VersionLinks;
}

/** Says whom another range of a link gives another version of the tool, and which gateways offer that. */
export async function movesOfLink(
  sql: Sql,
  visibility: Visibility,
  { toolId, ...link }: ChangedLink,
  { impacts, links }: MovePorts,
): Promise<Moves> {
  const { skillId, from, to } = link;
  const gateways = await links.gateways(sql, visibility, toolId);
  if (from === to) return { skills: [], agents: [], gateways };
  const skill = (await skillFactsOf(sql, visibility.hostId, [skillId])).get(skillId);
  const { agents } = await impacts.of(sql, visibility, { kind: 'skill', id: skillId });
  return {
    skills: [{ ...link, skillName: skill?.name ?? '' }],
    agents: agents.filter(({ skillIds }) => skillIds.includes(skillId)),
    gateways,
  };
}
