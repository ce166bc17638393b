import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { writeTar } from '../documents/archive.stream.js';
import { Heads } from '../kernel/heads.js';
import { DATABASE, type Database } from '../kernel/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { satisfies } from '../platform/auth/claims.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { SlowReads } from '../platform/work/slow-reads.js';
import { settingsOf } from '../settings/public.js';
import { copyStamps, skillCopy } from '../skills/public.js';
import type { Shown, ShownSkill } from './shown.js';
import { readShown } from './shown.queries.js';
import { skillDescription, type SkillArtifact } from './standards/skills-index.js';

/** Who asks with a token. */
export interface Asker {
  readonly caller: Caller;
  readonly visibility: Visibility;
}

interface Kept {
  readonly position: number;
  readonly shown: Promise<Shown | undefined>;
}

type Artifacts = readonly (readonly [ShownSkill, SkillArtifact])[];

/** What is shown of a host, and to whom. */
export interface ShownHost {
  readonly hostId: string;
  readonly shown: Shown;
  /** Tells callers apart, so that none takes the turns of others. */
  readonly fingerprint: string;
}

const everybody = 'everybody';
/** Hosts whose public entries are kept in memory, digests of skills, and bytes of those that everybody may fetch. */
const [MAX_HOSTS, MAX_DIGESTS, MAX_BYTES] = [100, 50_000, 32 * 1024 * 1024];

/** What is shown of hosts: to everybody from memory, as long as nothing was written, and to callers with a token by reading. */
@Injectable()
export class PublicCatalogs {
  private readonly kept = new LRUCache<string, Kept>({ max: MAX_HOSTS });
  private readonly artifacts = new WeakMap<Shown, Promise<Artifacts>>();
  private readonly digests = new LRUCache<string, SkillArtifact>({ max: MAX_DIGESTS });
  private readonly files = new LRUCache<string, Uint8Array>({ maxSize: MAX_BYTES });
  /** Numbers what is shown to everybody, so that files of before are not taken for those of now. */
  private readonly editions = new WeakMap<Shown, number>();
  private lastEdition = 0;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly heads: Heads,
    private readonly slowReads: SlowReads,
  ) {}

  /** Undefined where the host has switched discovery off. */
  async shownOf(hostId: string, asker?: Asker): Promise<ShownHost | undefined> {
    const reader = asker !== undefined && mayRead(asker.caller) ? asker : undefined;
    const fingerprint = reader?.caller.fingerprint ?? everybody;
    const shown = await (reader === undefined
      ? this.shownToAll(hostId)
      : this.slowReads.run({ hostId, fingerprint }, () => this.read(hostId, reader)));
    return shown && { hostId, shown, fingerprint };
  }

  private async shownToAll(hostId: string): Promise<Shown | undefined> {
    // Asked first: what is read afterwards is at least as new.
    const position = await this.heads.position(hostId);
    const known = this.kept.get(hostId);
    if (known?.position === position) return known.shown;
    const shown = this.slowReads.run({ hostId, fingerprint: everybody }, () => this.read(hostId));
    this.kept.set(hostId, { position, shown });
    shown.catch(() => {
      if (this.kept.get(hostId)?.shown === shown) this.kept.delete(hostId);
    });
    return shown;
  }

  private async read(hostId: string, asker?: Asker): Promise<Shown | undefined> {
    const sql = this.database.of(hostId);
    const { discovery } = await settingsOf(sql, hostId);
    if (!discovery) return undefined;
    if (asker === undefined) {
      const shown = await readShown(sql, hostId);
      this.editions.set(shown, (this.lastEdition += 1));
      return shown;
    }
    const { visibility, caller } = asker;
    const gateways = caller.scopes.has('catalog:admin') && visibility.within === undefined;
    return readShown(sql, hostId, { visibility, gateways });
  }

  /** How each of the skills is fetched. */
  artifactsOf({ hostId, shown, fingerprint }: ShownHost): Promise<Artifacts> {
    const known = this.artifacts.get(shown);
    if (known !== undefined) return known;
    const made = this.slowReads.run({ hostId, fingerprint }, () => this.readArtifacts(hostId, shown.skills));
    this.artifacts.set(shown, made);
    made.catch(() => this.artifacts.delete(shown));
    return made;
  }

  private async readArtifacts(hostId: string, skills: readonly ShownSkill[]): Promise<Artifacts> {
    const ids = skills.map(({ skillId }) => skillId);
    const stamps = await copyStamps(this.database.of(hostId), hostId, ids);
    const byId = new Map(stamps.map((stamp) => [stamp.skillId, stamp]));
    const found: (readonly [ShownSkill, SkillArtifact])[] = [];
    for (const skill of skills) {
      const stamp = byId.get(skill.skillId);
      const artifact = stamp && (await this.artifactOf(hostId, skill, stamp));
      if (artifact !== undefined) found.push([skill, artifact]);
    }
    return found;
  }

  /** Of one that was made before the digest is known, as long as skill and tools are what they were. */
  private async artifactOf(
    hostId: string,
    skill: ShownSkill,
    { stamp, hasFiles }: { readonly stamp: string; readonly hasFiles: boolean },
  ): Promise<SkillArtifact | undefined> {
    const { name, tools } = skill;
    const said = JSON.stringify([hostId, skill.skillId, stamp, name, skillDescription(skill), tools]);
    const key = hash('sha256', said, 'base64');
    const known = this.digests.get(key);
    if (known !== undefined) return known;
    const type = hasFiles ? 'archive' : 'skill-md';
    const bytes = await this.readFile(hostId, skill, type);
    if (bytes === undefined) return undefined;
    const artifact = { type, digest: `sha256:${hash('sha256', bytes, 'hex')}` } as const;
    this.digests.set(key, artifact);
    return artifact;
  }

  /** SKILL.md alone, or the whole folder packed; undefined where the skill is gone. */
  async fileOf(
    { hostId, shown, fingerprint }: ShownHost,
    skill: ShownSkill,
    type: SkillArtifact['type'],
  ): Promise<Uint8Array | undefined> {
    const edition = this.editions.get(shown);
    const key = `${String(edition)} ${skill.skillId} ${type}`;
    const known = edition === undefined ? undefined : this.files.get(key);
    if (known !== undefined) return known;
    const bytes = await this.slowReads.run({ hostId, fingerprint }, () => this.readFile(hostId, skill, type));
    if (edition !== undefined && bytes !== undefined)
      this.files.set(key, bytes, { size: Math.max(1, bytes.byteLength) });
    return bytes;
  }

  private async readFile(
    hostId: string,
    skill: ShownSkill,
    type: SkillArtifact['type'],
  ): Promise<Uint8Array | undefined> {
    const { skillId, name, tools } = skill;
    const copy = { skillId, name, tools, description: skillDescription(skill) };
    const files = await skillCopy(this.database.of(hostId), hostId, copy);
    return type === 'archive' && files !== undefined ? writeTar(files) : files?.[0]?.bytes;
  }
}

/** Whether a token says more than that its caller is known: one of an agent must name it. */
function mayRead(caller: Caller): boolean {
  return (
    satisfies(caller, 'catalog:read') ||
    (satisfies(caller, 'catalog:agent') && caller.agentDefId !== undefined)
  );
}
