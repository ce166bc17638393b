/** What a write leaves withheld from agents until somebody accepts it. */
export interface WithheldTool {
  /** Missing where a dry run would make the tool. */
  readonly toolId?: string;
  readonly toolName: string;
  readonly grade: string;
  readonly fields: readonly string[];
  readonly suspicious: readonly string[];
}

/** One line a tool, and how they are accepted. */
export function withheldLines(withheld: readonly WithheldTool[]): string[] {
  if (withheld.length === 0) return [];
  return [
    `  ${String(withheld.length)} tools are withheld from agents until somebody accepts what is new:`,
    ...withheld.map(({ toolId, toolName, grade, fields, suspicious }) => {
      const id = toolId === undefined ? '' : `  ${toolId}`;
      const grades = suspicious.length > 0 && grade !== 'suspicious' ? `${grade}, suspicious` : grade;
      return `    ${toolName}: ${grades} (${fields.join(', ')})${id}`;
    }),
    '  See GET …/tools/<toolId>; accept with POST …/tools/<toolId>/changes/accept (a suspicious one needs catalog:admin).',
  ];
}
