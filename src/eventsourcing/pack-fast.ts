/** Large values are packed by the faster method, where the server has it. */
export const packFast = `SELECT set_config('default_toast_compression', 'lz4', true) FROM pg_settings
  WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)`;
