import type { Command } from '../../kernel/command.js';
import { type Fault, Invalid, NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { refuseLessGuarded, requireScope } from '../../platform/auth/claims.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { handle, type Receipts, receiptsOf, UseCase } from '../../platform/use-cases/use-case.js';
import { redacted, type SecretWarning } from '../../platform/validation/secrets-in-texts.js';
import { inReceipt } from './tool-writes.planner.js';
import { toolsWithReviewedTexts } from './reviewed-texts.lookup.js';
import { addressModel } from '../model/tool-facts.js';
import { TeachTool } from '../model/tool.commands.js';
import type { ExampleLessons } from './tool.schemas.js';
import { isMeant, visibleTools } from './tools.filter.js';

type Lesson = ExampleLessons['items'][number];

/** Adds or replaces the example prompts of many tools. */
export class TeachTools extends UseCase<
  ExampleLessons,
  Receipts<ReturnType<typeof inReceipt>> & { readonly warnings?: readonly SecretWarning[] }
> {}

export const teachToolsHandler = handle(TeachTools, {
  check: checkLessons,
  prepare: (sent) => redacted(sent),
  async load(sql, _sent, { caller, visibility }, { body, warnings }) {
    refuseLessGuarded(
      caller,
      body.items.some(({ prompts }) => addressModel(prompts)),
    );
    const commands = await planExamples(sql, visibility, body);
    // They decide which tool a prompt finds, and wait for nobody.
    const ids = commands.map(({ aggregateId }) => aggregateId);
    if ((await toolsWithReviewedTexts(sql, visibility.hostId, ids)).size > 0)
      requireScope(caller, 'catalog:approve');
    return { warnings, commands };
  },
  decide: ({ commands }) => commands,
  result: (outcomes, position, { warnings }) => ({
    ...receiptsOf(inReceipt)(outcomes, position),
    ...(warnings.length > 0 && { warnings }),
  }),
});

/** Example prompts for many tools, found by id or by the name that an active tool has, with one query. */
async function planExamples(
  sql: Sql,
  visibility: Visibility,
  { items, mode }: ExampleLessons,
): Promise<Command[]> {
  const known = await toolsNamed(sql, visibility, items);
  const faults: Fault[] = [];
  const commands = items.flatMap((lesson, index) => {
    const found = known(lesson);
    const [toolId] = found;
    if (toolId === undefined) throw new NotFound('tool', lesson.toolId ?? lesson.toolName ?? '');
    if (found.length > 1) faults.push(ambiguous(index, found.length));
    return [new TeachTool(visibility.hostId, toolId, { mode, prompts: lesson.prompts })];
  });
  if (faults.length > 0) throw new Invalid('tool_name_ambiguous', 'A name stands for several tools.', faults);
  return commands;
}

/** Refuses items that name no tool, or name it twice. */
function checkLessons({ items }: ExampleLessons): void {
  const faults = items.flatMap(({ toolId, toolName }, index) =>
    (toolId === undefined) === (toolName === undefined)
      ? [{ pointer: `/items/${String(index)}`, detail: 'must have either a toolId or a toolName' }]
      : [],
  );
  if (faults.length > 0)
    throw new Invalid('invalid_body', 'The body is not what this operation takes.', faults);
}

async function toolsNamed(
  sql: Sql,
  visibility: Visibility,
  items: readonly Lesson[],
): Promise<(lesson: Lesson) => readonly string[]> {
  const where = visibleTools(visibility).add(
    `(tool_id = ANY(?::uuid[]) OR (active AND name = ANY(?::text[]) AND ${isMeant('tool_t')}))`,
    items.flatMap(({ toolId }) => toolId ?? []),
    items.flatMap(({ toolName }) => toolName ?? []),
  );
  const rows = await sql.query<{ tool_id: string; name: string; active: boolean }>(
    `SELECT tool_id, name, active FROM tool_t ${where.sql()} ORDER BY tool_id`,
    where.values,
  );
  return ({ toolId, toolName }) =>
    rows
      .filter((row) => (toolId === undefined ? row.active && row.name === toolName : row.tool_id === toolId))
      .map((row) => row.tool_id);
}

function ambiguous(index: number, count: number): Fault {
  const detail = `names ${String(count)} active tools; say which one with toolId`;
  return { pointer: `/items/${String(index)}/toolName`, detail };
}
