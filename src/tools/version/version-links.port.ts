import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';

/** A link of a skill that an approval or a retirement moves from one version to another. */
export interface MovedLink {
  readonly skillId: string;
  readonly skillName: string;
  /** Null: the newest, whichever it is. */
  readonly range: string | null;
  /** The version that agents are given now; null for none. */
  readonly from: string | null;
  readonly to: string | null;
}

/** A version that agents are given beside the newest, since links of active skills keep to it. */
export interface KeptVersion {
  readonly toolId: string;
  readonly version: string;
  /** Names of the skills. */
  readonly skills: readonly string[];
}

/** A gateway that offers a tool. */
export interface OfferingGateway {
  readonly gatewayId: string;
  readonly serviceId: string;
  readonly envTag: string;
}

/** Port to the floor that knows skills and gateways: which of their links take which version of a tool, and which of them offer it. */
export abstract class VersionLinks {
  /** The active gateways that offer the tool and that the reader may see, by service. */
  abstract gateways(sql: Sql, visibility: Visibility, toolId: string): Promise<readonly OfferingGateway[]>;

  /**
   * The links that give their agents another version once these are the versions that agents may be given, by name of
   * the skill.
   *
   * @param live before and after, newest first
   */
  abstract moved(
    sql: Sql,
    visibility: Visibility,
    toolId: string,
    live: { readonly before: readonly string[]; readonly after: readonly string[] },
  ): Promise<readonly MovedLink[]>;

  /** The versions of these tools beside the newest that links keep to, newest first. */
  abstract kept(sql: Sql, hostId: string, toolIds: readonly string[]): Promise<readonly KeptVersion[]>;

  /** All versions of these tools that links of active skills take, the newest too. */
  abstract takers(sql: Sql, hostId: string, toolIds: readonly string[]): Promise<readonly KeptVersion[]>;
}
