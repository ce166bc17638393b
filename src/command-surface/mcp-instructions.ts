/** How an agent is to use the surface that its tools/list shows: discovery first, then queries. Pure. */

/** @param isCommandSurface whether `list_commands` and `invoke_command` are listed, and not each command as a tool */
export function instructionsFor(isCommandSurface: boolean): string {
  const run = (name: string): string =>
    isCommandSurface ? `invoke_command with command_name ${name}` : name;
  return [
    'A catalog of APIs, tools and skills, and a graph of them. It describes tools; they are called at the gateway.',
    isCommandSurface
      ? '1. Call list_commands once per session: it names the commands and their parameters.'
      : '1. List the tools once per session.',
    `2. Before the first query call ${run('get_query_dsl')} and ${run('get_graph_schema')}. Do not guess the names of nodes, relationships or properties.`,
    `3. Query with ${run('query_graph')}.`,
    `4. When a query is refused as invalid_graph_query, call ${run('get_graph_schema')} with the node of the error in expand_nodes, before you try again.`,
  ].join('\n');
}
