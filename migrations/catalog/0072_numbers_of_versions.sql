-- Versions are ordered as numbers of any length: each part has how many digits it has in front. Padded to nine, a longer one was cut off,
-- so that 1.0.1000000000 came before 1.0.999999999, and so the range up to it took nothing.
DROP INDEX tool_version_live_ix;
CREATE OR REPLACE FUNCTION version_key(p_version text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  lpad(length(split_part(p_version, '.', 1))::text, 2, '0') || split_part(p_version, '.', 1) || '.' ||
  lpad(length(split_part(p_version, '.', 2))::text, 2, '0') || split_part(p_version, '.', 2) || '.' ||
  lpad(length(split_part(p_version, '.', 3))::text, 2, '0') || split_part(p_version, '.', 3);
CREATE INDEX tool_version_live_ix ON tool_version_t (host_id, tool_id, (version_key(version) COLLATE "C") DESC)
  WHERE state IN ('approved', 'deprecated');
