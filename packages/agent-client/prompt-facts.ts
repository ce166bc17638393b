/** Decides what a prompt is given, of catalog and gateway, with the rules for failures. Pure. */
import type { MacroFilters } from '../ranking/macro-filter.js';
import type { Settings } from './agent-options.js';
import type { CurrentCatalog } from './catalog-cache.js';
import type { LiveTools } from './gateway.js';
import { fromGateway, type OfferedTool } from './offered-tool.js';
import type { SearchableCatalog } from './searchable-catalog.js';
import { hiddenTools, select, type HiddenTool } from './selection.js';
import { askFirstText, relationsText, skillInstructions, skillsFor } from './skill-instructions.js';
import type { TurnFacts, TurnState } from './turn.js';

export interface PromptOptions {
  /** Names of the context: tools that require more are left out, inputs that are among them are not asked for. */
  readonly context?: readonly string[];
  /** Filters beside those of the settings; both must pass. */
  readonly filters?: MacroFilters;
}

export interface Findings {
  readonly current: CurrentCatalog;
  /** Tools of the gateway, or why it could not list them. */
  readonly live: LiveTools | Error;
  /** Scores by tool id; undefined where the service did not answer in time. */
  readonly serverScores: ReadonlyMap<string, number> | undefined;
}

export interface PromptFacts {
  readonly facts: TurnFacts;
  /** Finds tools of the catalog that are not offered, and why; computed on demand. */
  readonly hidden: () => readonly HiddenTool[];
}

type Rules = Pick<Settings, 'fallback' | 'selection'>;

export function promptFacts(
  findings: Findings,
  prompt: string,
  options: PromptOptions,
  rules: Rules,
): PromptFacts {
  const { current, live } = findings;
  const state = stateOf(findings);
  if (live instanceof Error) return nothing(state, `Tools can't be used at the moment. ${live.message}`);
  switch (current.state) {
    case 'refused':
      return nothing(state, 'This agent is offered no tools: the catalog refuses it.');
    case 'no_token':
      return nothing(state, 'This agent is offered no tools: its token is missing, expired or unreadable.');
    case 'no_agent':
      return beside({ ...state, fallback: 'no_agent' }, live, rules.fallback.noAgent);
    case 'none':
      return beside({ ...state, fallback: 'no_catalog' }, live, rules.fallback.noCatalog);
    default:
      return current.catalog === undefined
        ? beside({ ...state, fallback: 'no_catalog' }, live, rules.fallback.noCatalog)
        : within(current.catalog, { ...findings, live, state }, { prompt, options, rules });
  }
}

function within(
  catalog: SearchableCatalog,
  {
    live,
    serverScores = new Map(),
    state,
  }: Findings & { readonly live: LiveTools; readonly state: TurnState },
  { prompt, options: { context = [], filters = {} }, rules }: Asked,
): PromptFacts {
  const { selection: settings, fallback } = rules;
  const question = {
    ...{ prompt, serverScores, limit: settings.limit, noMatch: fallback.noMatch },
    context: new Set(context),
    filters: [settings.filters, filters].filter((each) => Object.keys(each).length > 0),
  };
  const selection = select(catalog, live, question);
  const { tools, hidden, skills, substitutes, fallback: fell } = selection;
  const chosen = skillsFor(catalog.document, skills, tools);
  const texts = [
    skillInstructions(chosen, settings.instructionCharacters),
    relationsText(tools, substitutes),
    askFirstText(tools),
  ];
  const missing = hidden.filter(
    ({ reason }) => reason === 'missing_from_gateway' || reason === 'schema_changed',
  );
  const facts = {
    ...{ tools, skills: chosen.map(({ name }) => name) },
    instructions: texts.filter((text) => text !== '').join('\n\n'),
    state: fell === undefined ? state : { ...state, fallback: fell },
    ...(tools.length === 0 && missing.length > 0 && { notice: noticeOf(missing) }),
    ...(tools.some(({ source }) => source === 'gateway') && {
      notice: unchosenNotice(tools, reasons.no_match),
    }),
  };
  return { facts, hidden: () => hiddenTools(catalog, question, selection) };
}

interface Asked {
  readonly prompt: string;
  readonly options: PromptOptions;
  readonly rules: Rules;
}

/** Reasons of a fallback, for the notice. */
const reasons = {
  no_match: 'nothing in the catalog matches the prompt',
  no_catalog: 'its catalog is not known at the moment',
  no_agent: 'neither its token nor its configuration names an agent',
} as const satisfies Record<NonNullable<TurnState['fallback']>, string>;

/** Offers all tools of the gateway, unselected. */
function beside(
  state: TurnState & { readonly fallback: keyof typeof reasons },
  live: LiveTools,
  fallback: 'gateway-tools' | 'none',
): PromptFacts {
  if (fallback === 'none')
    return nothing(state, `This agent is offered no tools: ${reasons[state.fallback]}.`);
  const tools = [...live.values()].map(fromGateway);
  const facts = { ...given(state, tools), notice: unchosenNotice(tools, reasons[state.fallback]) };
  return { facts, hidden: () => [] };
}

function unchosenNotice(tools: readonly OfferedTool[], reason: string): string {
  const unchosen = tools.filter(({ source }) => source === 'gateway').length;
  return `This agent is offered tools of the gateway that no catalog chose (${unchosen}): ${reason}.`;
}

function nothing(state: TurnState, notice: string): PromptFacts {
  return { facts: { ...given(state, []), notice }, hidden: () => [] };
}

function given(state: TurnState, tools: readonly OfferedTool[]): TurnFacts {
  return { tools, state, instructions: '', skills: [] };
}

function stateOf({ current, live, serverScores }: Findings): TurnState {
  const { catalog, ageSeconds } = current;
  return {
    catalog: current.state,
    ...(catalog !== undefined && {
      catalogVersion: catalog.document.catalogVersion,
      catalogHash: catalog.document.catalogHash,
    }),
    ...(ageSeconds !== undefined && { catalogAgeSeconds: ageSeconds }),
    gateway: live instanceof Error ? 'unavailable' : 'available',
    ...(serverScores === undefined && { degraded: ['semantic'] as const }),
  };
}

function noticeOf(missing: readonly HiddenTool[]): string {
  const names = missing.slice(0, 10).map(({ toolName }) => toolName);
  return `What this needs can't be called at the moment: ${names.join(', ')}.`;
}
