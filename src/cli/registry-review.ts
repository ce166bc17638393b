import { Command } from 'commander';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { pathOf } from './named-record.js';
import { nouns } from './nouns.js';
import {
  counted,
  exampleHelp,
  oneLine,
  parsedAnswer,
  printAnswer,
  printNext,
  program,
  understood,
  withProgress,
} from './output.js';
import { printReceipt } from './receipt.js';
import {
  type NamedVersion,
  refuseMoved,
  refuseShort,
  type Reported,
  stepAfterReview,
  stepOf,
} from './registry-steps.js';

interface StepOptions extends ConnectionOptions {
  readonly digest?: string;
  readonly override?: string;
  readonly acceptsFindings?: boolean;
  readonly reason?: string;
  readonly on?: string;
  readonly message?: string;
  readonly dryRun?: boolean;
}

/** One version, at the service. */
interface Target extends NamedVersion {
  readonly client: CatalogClient;
  readonly path: string;
}

type Act = (target: Target, options: StepOptions) => Promise<void>;

/** Commands on one version of a tool: each shows the command that comes next. */
export function reviewCommands(): readonly Command[] {
  return [
    submitting(),
    evaluating(),
    reviewing(),
    approving(),
    rejecting(),
    withdrawing(),
    deprecating(),
    retiring(),
  ];
}

function onVersion(name: string, description: string, calls: readonly string[], act: Act): Command {
  const command = new Command(name)
    .description(`${description} (asks the service)`)
    .argument('<tool>', 'its id or its name')
    .argument('<version>', 'like 1.2.0')
    .addHelpText(
      'after',
      exampleHelp(...calls.map((call) => `registry ${name} read_file ${call}`.trimEnd())),
    );
  return connectionOptions(command).action(async (tool: string, version: string, options: StepOptions) => {
    const client = new CatalogClient(options);
    const path = `${await pathOf(client, nouns.tool, tool)}/versions/${encodeURIComponent(version)}`;
    await act({ client, path, tool, version }, options);
  });
}

/** Posts what a step says, and prints what became of it and what comes next. */
async function post(
  { client, path, tool, version }: Target,
  step: { readonly verb: string; readonly body?: object; readonly done: string; readonly next?: string },
  options: StepOptions,
): Promise<void> {
  const answer = await client.request('POST', `${path}/${step.verb}`, step.body ?? {});
  printReceipt(options, answer, { label: `${tool} ${version}`, done: step.done });
  printNext(options, step.next);
}

const whatWaits = `${program} registry waiting`;

const submitting = () =>
  onVersion(
    'submit',
    'ask for a review of a draft: it stays as it is from then on',
    ['1.2.0'],
    (target, options) =>
      post(target, { verb: 'submit', done: 'in review', next: stepOf('evaluate', target) }, options),
  );

interface Evaluated {
  readonly evaluation: {
    readonly passed: boolean;
    readonly prompts?: number;
    readonly reasons?: readonly { readonly detail?: string; readonly rule?: string }[];
  };
  readonly worse: readonly { readonly prompt: string }[];
  readonly better: readonly { readonly prompt: string }[];
}

const evaluating = () =>
  onVersion(
    'evaluate',
    'ask the catalog with a version in place: what its approval rests on',
    ['1.2.0'],
    evaluated,
  );

async function evaluated(target: Target, options: StepOptions): Promise<void> {
  const { client, path, tool, version } = target;
  const answer = await withProgress('Asking', () => client.request('POST', `${path}/evaluate`, {}));
  printAnswer(options, answer, (text) => {
    const { evaluation, worse, better } = parsedAnswer(text) as Evaluated;
    const { passed, prompts = 0, reasons = [] } = evaluation;
    return [
      `${tool} ${version}: ${passed ? 'passed' : 'not passed'}, ${counted(prompts, 'prompt')} asked, ${String(worse.length)} worse, ${String(better.length)} better`,
      ...reasons.map(({ rule = '', detail = '' }) => `  ${rule}: ${detail}`),
      ...worse.map(({ prompt }) => `  worse: ${oneLine(prompt, 120)}`),
    ];
  });
  printNext(options, stepOf('review', target));
}

export interface Report extends Reported {
  readonly toolId: string;
  readonly name: string;
  readonly toolVersion: string;
  readonly grade?: string | null;
  readonly against?: string | null;
  readonly authors: readonly string[];
  readonly lint: readonly { readonly pointer: string; readonly detail: string }[];
  readonly findings: readonly { readonly grade: string; readonly rule: string; readonly pointer: string }[];
  readonly texts: readonly { readonly pointer: string; readonly before: unknown; readonly after: unknown }[];
  readonly impact: {
    readonly skills: readonly {
      readonly skillName: string;
      readonly from: string | null;
      readonly to: string | null;
    }[];
  };
}

const reviewing = () =>
  onVersion(
    'review',
    'show what a review of a version rests on, and its digest',
    ['1.2.0', '1.2.0 --json'],
    reviewed,
  );

async function reviewed(target: Target, options: StepOptions): Promise<void> {
  const { client, path } = target;
  const answer = await client.request('GET', `${path}/report`);
  const report = parsedAnswer(answer) as Report;
  printAnswer(options, answer, () => reportLines(report));
  const next = understood(() => stepAfterReview(report, target));
  printNext(options, next);
}

/** What a reviewer reads of a version. */
export function reportLines(report: Report): readonly string[] {
  const { name, toolVersion, state, grade, against, authors, digest } = report;
  const { findings, texts, missing, lint, impact } = report;
  const lacks = state === 'draft' || state === 'in_review' ? 'missing' : 'was missing';
  return [
    `${name} ${toolVersion}: ${state.replace('_', ' ')}, by ${authors.join(' and ')}; ${against == null ? 'the first' : `${String(grade)} after ${against}`}`,
    `digest: ${digest}`,
    ...findings.map((finding) => `  ${finding.grade}: ${finding.rule} at ${finding.pointer}`),
    ...texts.flatMap(({ pointer, before, after }) => [
      `  ${pointer}`,
      ...[['-', before] as const, ['+', after] as const].map(([sign, said]) => `    ${sign} ${shown(said)}`),
    ]),
    ...impact.skills.map(
      ({ skillName, from, to }) => `  skill ${skillName}: ${from ?? 'none'} → ${to ?? 'none'}`,
    ),
    ...lint.map(({ pointer, detail }) => `  lint ${pointer}: ${oneLine(detail, 200)}`),
    ...missing.map((what) => `  ${lacks}: it ${what}`),
  ];
}

function shown(text: unknown): string {
  if (text === undefined || text === null) return '(nothing)';
  return oneLine(typeof text === 'string' ? text : JSON.stringify(text), 300);
}

const approving = () =>
  onVersion(
    'approve',
    'let agents have a version',
    ['1.2.0 --digest 5f1c09ab23de', "1.2.0 --digest 5f1c09ab23de --override 'Asked by hand.'"],
    approved,
  )
    .requiredOption(
      '--digest <digest>',
      'of what you have read, as registry review shows it; at least its first 8 characters',
    )
    .option('--override <reason>', 'although it is your own, or has not passed its evaluation, and why')
    .option('--accepts-findings', 'changes are wanted which its number was not raised for');

async function approved(target: Target, options: StepOptions): Promise<void> {
  const { digest: begin = '', override, acceptsFindings } = options;
  refuseShort(begin);
  const { digest } = parsedAnswer(await target.client.request('GET', target.path)) as {
    readonly digest: string;
  };
  const { tool, version } = target;
  const said = `Version ${version} of ${tool} is something else by now`;
  understood(() => {
    refuseMoved(digest, begin, { said, reading: stepOf('review', target) });
  });
  const body = {
    digest,
    ...(override !== undefined && { override: { reason: override } }),
    ...(acceptsFindings === true && { acceptsFindings }),
  };
  await post(target, { verb: 'approve', body, done: 'approved', next: whatWaits }, options);
}

const rejecting = () =>
  onVersion(
    'reject',
    'refuse a version, for good',
    ["1.2.0 --reason 'The first parameter says nothing.'"],
    (target, options) =>
      post(
        target,
        { verb: 'reject', body: { reason: options.reason }, done: 'rejected', next: whatWaits },
        options,
      ),
  ).requiredOption('--reason <reason>', 'why, for its author');

const withdrawing = () =>
  onVersion(
    'withdraw',
    'take back, for good, what you wrote last and nobody has approved',
    ['1.2.0'],
    (target, options) =>
      post(
        target,
        { verb: 'withdraw', body: { reason: options.reason }, done: 'withdrawn', next: whatWaits },
        options,
      ),
  ).option('--reason <reason>', 'why, for those who look for it');

const deprecating = () =>
  onVersion(
    'deprecate',
    'tell agents the day from which a version may go, and what to take instead',
    ["1.2.0 --on 2027-03-01 --message 'Take 2.0.0.'"],
    (target, options) => {
      const { on, message, dryRun = false } = options;
      const next = stepOf('retire', target, ' --dry-run');
      const done = dryRun ? 'would be deprecated' : 'deprecated';
      return post(target, { verb: 'deprecate', body: { on, message, dryRun }, done, next }, options);
    },
  )
    .requiredOption('--on <day>', 'like 2027-03-01')
    .requiredOption('--message <text>', 'for agents: what to take instead')
    .option('--dry-run', 'say whom its retirement would give another version, and do nothing');

const retiring = () =>
  onVersion(
    'retire',
    'give a version to no agent any more',
    ['1.2.0 --dry-run', "1.2.0 --reason 'It is unsafe.'"],
    (target, options) => {
      const { reason, dryRun = false } = options;
      const done = dryRun ? 'would be retired' : 'retired';
      const next = dryRun ? stepOf('retire', target) : undefined;
      return post(target, { verb: 'retire', body: { reason, dryRun }, done, ...(next && { next }) }, options);
    },
  )
    .option('--reason <reason>', 'although links of skills take it, and why')
    .option('--dry-run', 'say whom it would give another version, and do nothing');
