/** The effective catalog as an agent receives it (docs/contract.md, section 7), and its validation. */
import { createHash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';
import { FaultyCatalog } from './requests.js';

export type SensitivityTier = 'public' | 'internal' | 'confidential' | 'restricted';
export type JsonObject = Readonly<Record<string, unknown>>;

export interface CatalogDocument {
  readonly formatVersion: string;
  readonly hostId: string;
  readonly agentDefId: string;
  readonly serviceId: string;
  readonly envTag: string;
  /** Position of the last event that could change it; it only grows. */
  readonly catalogVersion: number;
  /** Hex SHA-256 of the content. */
  readonly catalogHash: string;
  readonly ttlSeconds: number;
  readonly agent: { readonly name: string };
  readonly skills: readonly CatalogSkill[];
}

export interface CatalogSkill {
  readonly skillId: string;
  readonly name: string;
  readonly description: string;
  readonly contentMarkdown: string;
  readonly priority: number;
  readonly tags: readonly string[];
  readonly categories: readonly string[];
  /** Ids of the skills that it builds on. */
  readonly dependsOn: readonly string[];
  readonly tools: readonly CatalogTool[];
}

export interface CatalogTool {
  readonly toolId: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** The day from which this version may be retired, and what to take instead. */
  readonly deprecation?: { readonly on: string; readonly message: string; readonly overdue?: true };
  /** Endpoint key. */
  readonly endpoint?: string;
  readonly endpointName?: string;
  readonly endpointDescription?: string;
  readonly path?: string;
  readonly apiId?: string;
  readonly apiVersionId?: string;
  readonly sourceProtocol?: string;
  readonly implementationType?: string;
  readonly lifecycleStatus: string;
  readonly accessLevel: 'read' | 'write' | 'execute';
  /** Configuration of the link between skill and tool. */
  readonly config: JsonObject;
  readonly tags: readonly string[];
  readonly categories: readonly string[];
  readonly inputSchema: JsonObject;
  readonly routingMetadata: {
    readonly domain?: string | null;
    readonly semanticNamespace?: string | null;
    readonly category?: string | null;
    readonly semanticDescription?: string | null;
    readonly semanticKeywords: readonly string[];
    readonly targetPersonas: readonly string[];
    readonly sensitivityTier: SensitivityTier;
    readonly semanticWeight: number;
    readonly contextRequirements: {
      /** Arguments that the user must be asked for. */
      readonly requiredInputs: readonly string[];
      /** Names of the context that the tool needs. */
      readonly requiredContext: readonly string[];
    };
    /** Endpoint keys of tools that are called with it. */
    readonly dependencies?: readonly { readonly endpoint: string; readonly relation?: string | null }[];
    /** Endpoint key of a tool to use where this one fails. */
    readonly fallbackEndpoint?: string | null;
  };
  readonly safety: {
    readonly readOnly: boolean;
    readonly idempotent: boolean;
    readonly destructive: boolean;
    readonly humanApprovalRequired: boolean;
    readonly approvalWorkflow?: string;
  };
  /** Example prompts, where the catalog was requested with `examples=true`. */
  readonly examplePrompts?: readonly string[];
}

/** Identity of the agent. */
export interface CatalogIdentity {
  readonly hostId: string;
  readonly agentDefId: string;
  readonly serviceId: string;
  readonly envTag: string;
}

// Writes RFC 8785 with these settings.
const canonical = configure({ deterministic: true, bigint: false, circularValue: Error, strict: true });
/** Members that the hash leaves out. */
const uncovered = new Set(['catalogVersion', 'catalogHash', 'ttlSeconds']);

/**
 * Checks a catalog from the network, a patch or a disk: its shape, its owner, and the hash of its content. Throws
 * FaultyCatalog.
 */
export function readCatalog(value: unknown, identity: CatalogIdentity): CatalogDocument {
  const document = shaped(value);
  for (const [name, expected] of Object.entries(identity) as [keyof CatalogIdentity, string][]) {
    if (document[name] !== expected)
      throw new FaultyCatalog(`its ${name} is ${document[name]}, asked for was ${expected}`);
  }
  if (catalogHash(document) !== document.catalogHash)
    throw new FaultyCatalog('its content is not what its hash says');
  return document;
}

/** Hex SHA-256 of the canonical JSON of the content without example prompts. */
export function catalogHash(document: CatalogDocument): string {
  const skills = document.skills.map((skill) => ({ ...skill, tools: skill.tools.map(withoutExamples) }));
  const covered = Object.entries({ ...document, skills }).filter(([name]) => !uncovered.has(name));
  const content = Object.fromEntries(covered);
  return createHash('sha256').update(canonical(content)).digest('hex');
}

function withoutExamples({ examplePrompts: _, ...tool }: CatalogTool): object {
  return tool;
}

function shaped(value: unknown): CatalogDocument {
  const document = objectAt(value, '') as unknown as CatalogDocument;
  textsAt(document, '', ['formatVersion', 'hostId', 'agentDefId', 'serviceId', 'envTag', 'catalogHash']);
  if (!document.formatVersion.startsWith('1.'))
    throw new FaultyCatalog(`its format is ${document.formatVersion}, known is 1`);
  numbersAt(document, '', ['catalogVersion', 'ttlSeconds']);
  listAt(document, '', 'skills').forEach((skill, index) => {
    checkSkill(skill, `/skills/${index}`);
  });
  return document;
}

function checkSkill(value: unknown, at: string): void {
  const skill = objectAt(value, at);
  textsAt(skill, at, ['skillId', 'name', 'description', 'contentMarkdown']);
  numbersAt(skill, at, ['priority']);
  for (const name of ['tags', 'categories', 'dependsOn']) wordsAt(skill, at, name);
  listAt(skill, at, 'tools').forEach((tool, index) => {
    checkTool(tool, `${at}/tools/${index}`);
  });
}

function checkTool(value: unknown, at: string): void {
  const tool = objectAt(value, at);
  textsAt(tool, at, ['toolId', 'name', 'description', 'version', 'lifecycleStatus', 'accessLevel']);
  for (const name of ['tags', 'categories']) wordsAt(tool, at, name);
  if ('examplePrompts' in tool) wordsAt(tool, at, 'examplePrompts');
  for (const name of ['inputSchema', 'safety', 'config']) objectAt(tool[name], `${at}/${name}`);
  const routing = objectAt(tool['routingMetadata'], `${at}/routingMetadata`);
  textsAt(routing, `${at}/routingMetadata`, ['sensitivityTier']);
  numbersAt(routing, `${at}/routingMetadata`, ['semanticWeight']);
  for (const name of ['semanticKeywords', 'targetPersonas']) wordsAt(routing, `${at}/routingMetadata`, name);
  if ('dependencies' in routing) {
    listAt(routing, `${at}/routingMetadata`, 'dependencies').forEach((dependency, index) => {
      textsAt(objectAt(dependency, at), `${at}/routingMetadata/dependencies/${index}`, ['endpoint']);
    });
  }
  const needs = objectAt(routing['contextRequirements'], `${at}/routingMetadata/contextRequirements`);
  for (const name of ['requiredInputs', 'requiredContext']) wordsAt(needs, at, name);
}

function objectAt(value: unknown, at: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new FaultyCatalog(`${at === '' ? 'it' : at} is no object`);
}

function textsAt(value: object, at: string, names: readonly string[]): void {
  for (const name of names) {
    if (typeof (value as JsonObject)[name] !== 'string') throw new FaultyCatalog(`${at}/${name} is no text`);
  }
}

function numbersAt(value: object, at: string, names: readonly string[]): void {
  for (const name of names) {
    if (!Number.isFinite((value as JsonObject)[name])) throw new FaultyCatalog(`${at}/${name} is no number`);
  }
}

function listAt(value: object, at: string, name: string): readonly unknown[] {
  const list = (value as JsonObject)[name];
  if (Array.isArray(list)) return list as unknown[];
  throw new FaultyCatalog(`${at}/${name} is no list`);
}

function wordsAt(value: object, at: string, name: string): void {
  if (listAt(value, at, name).some((word) => typeof word !== 'string'))
    throw new FaultyCatalog(`${at}/${name} is no list of texts`);
}
