-- What the spec of a version says to people: its title, its owner, and the prompts and calls that should lead to it.
ALTER TABLE tool_version_t ADD COLUMN about jsonb;
CREATE INDEX tool_version_about_ix ON tool_version_t (host_id, tool_id, (version_key(version) COLLATE "C") DESC) WHERE about IS NOT NULL;

-- Of the version that agents are given, or that waits as the first one: as its spec says it, or the last before it that somebody wrote.
CREATE VIEW tool_about_read AS
SELECT t.host_id, t.tool_id, w.about
  FROM tool_t t
  JOIN LATERAL (
    SELECT v.about FROM tool_version_t v
     WHERE v.host_id = t.host_id AND v.tool_id = t.tool_id AND v.about IS NOT NULL
       AND (v.version = t.version OR v.state IN ('approved', 'deprecated', 'retired'))
       AND version_key(v.version) COLLATE "C" <= version_key(t.version) COLLATE "C"
     ORDER BY version_key(v.version) COLLATE "C" DESC LIMIT 1) w ON true;

-- An instance of the version before, beside this one, writes a draft again without what is said of it here.
CREATE FUNCTION forget_about() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.spec_text IS DISTINCT FROM OLD.spec_text AND current_setting('app.keeps_about', true) IS DISTINCT FROM 'on' THEN
    NEW.about := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER forget_about BEFORE UPDATE ON tool_version_t FOR EACH ROW WHEN (OLD.about IS NOT NULL) EXECUTE FUNCTION forget_about();
