/** What comes before ranking: hard filters over the facts of a tool or skill. */

/** Ascending. */
const tiers = ['public', 'internal', 'confidential', 'restricted'] as const;

/** One value, or several of which any will do. */
export type AnyOf = string | readonly string[];

/** All that are named must hold. */
export interface MacroFilters {
  /** Holds for what is below it by a dot. */
  readonly domain?: AnyOf | undefined;
  /** Holds for what is below it by a dot. */
  readonly semanticNamespace?: AnyOf | undefined;
  /** Case aside; lets through what names none. */
  readonly personas?: AnyOf | undefined;
  readonly maxSensitivityTier?: (typeof tiers)[number] | undefined;
  readonly sourceProtocol?: AnyOf | undefined;
  readonly implementationType?: AnyOf | undefined;
  readonly lifecycleStatus?: AnyOf | undefined;
  readonly apiId?: AnyOf | undefined;
  /** It has one of these. */
  readonly tags?: AnyOf | undefined;
  /** It is in one of these. */
  readonly categories?: AnyOf | undefined;
}

/** What filters are compared with. What is absent, its kind does not have: a filter of it leaves none. */
export interface Facets {
  readonly domain?: string | undefined;
  readonly semanticNamespace?: string | undefined;
  readonly targetPersonas?: readonly string[] | undefined;
  readonly sensitivityTier?: string | undefined;
  readonly sourceProtocol?: string | undefined;
  readonly implementationType?: string | undefined;
  readonly lifecycleStatus?: string | undefined;
  readonly apiId?: string | undefined;
  readonly tags?: readonly string[];
  readonly categories?: readonly string[];
}

type Routed = 'domain' | 'semanticNamespace' | 'targetPersonas' | 'sensitivityTier';

/** What nobody has said is null or missing. */
interface RoutedFacets extends Pick<Facets, 'targetPersonas' | 'sensitivityTier'> {
  readonly domain?: string | null | undefined;
  readonly semanticNamespace?: string | null | undefined;
}

/** Of a tool as the effective catalog gives it. */
export function facetsOf(tool: Omit<Facets, Routed> & { readonly routingMetadata: RoutedFacets }): Facets {
  const { sourceProtocol, implementationType, lifecycleStatus, apiId, tags = [], categories = [] } = tool;
  const { domain, semanticNamespace, targetPersonas, sensitivityTier } = tool.routingMetadata;
  return {
    ...{ domain: domain ?? undefined, semanticNamespace: semanticNamespace ?? undefined },
    ...{ targetPersonas, sensitivityTier },
    ...{ sourceProtocol, implementationType, lifecycleStatus, apiId, tags, categories },
  };
}

const equalities = ['sourceProtocol', 'implementationType', 'lifecycleStatus', 'apiId'] as const;
const branches = ['domain', 'semanticNamespace'] as const;
const memberships = ['tags', 'categories'] as const;

/** Whether it passes every filter. */
export function passes(facets: Facets, filters: MacroFilters): boolean {
  return (
    equalities.every((name) => holds(filters[name], (values) => values.includes(facets[name] ?? '\0'))) &&
    branches.every((name) => holds(filters[name], (values) => values.some(above(facets[name])))) &&
    memberships.every((name) =>
      holds(filters[name], (values) => facets[name]?.some((one) => values.includes(one)) === true),
    ) &&
    holds(filters.personas, (wanted) => isFor(facets.targetPersonas, wanted)) &&
    passesTier(facets, filters)
  );
}

function holds(given: AnyOf | undefined, test: (values: readonly string[]) => boolean): boolean {
  return given === undefined || test(typeof given === 'string' ? [given] : given);
}

const above =
  (actual = '') =>
  (value: string): boolean =>
    `${actual}.`.startsWith(`${value}.`);

function isFor(named: readonly string[] | undefined, personas: readonly string[]): boolean {
  if (named === undefined) return false;
  const wanted = personas.map((persona) => persona.toLowerCase());
  return named.length === 0 || named.some((persona) => wanted.includes(persona.toLowerCase()));
}

function passesTier({ sensitivityTier: tier }: Facets, { maxSensitivityTier: limit }: MacroFilters): boolean {
  if (limit === undefined) return true;
  const rank = (name: string | undefined): number => tiers.findIndex((one) => one === name);
  return rank(tier) >= 0 && rank(tier) <= rank(limit);
}
