/** What every session runs with, on either database. */
export const sessionSettings: readonly (readonly [name: string, value: string])[] = [
  ['search_path', 'catalog,public'],
  ['timezone', 'UTC'],
  // Our statements are short: compiling them takes longer than running them.
  ['jit', 'off'],
  // Swapping two of six letters leaves less similarity than the default of 0.3.
  ['pg_trgm.similarity_threshold', '0.2'],
  // A walk along a vector index goes on until enough rows have passed the filters.
  ['hnsw.iterative_scan', 'relaxed_order'],
];

/**
 * The embedded database has no autovacuum, which would give its planner fresh figures: a plan that is kept would stay
 * what it was when the tables were empty. Tables that have grown are analyzed by a few thousand of their rows, since all wait for that. And
 * its pages are in memory.
 */
export const embeddedSettings: typeof sessionSettings = [
  ['plan_cache_mode', 'force_custom_plan'],
  ['random_page_cost', '1.1'],
  ['default_statistics_target', '20'],
];
