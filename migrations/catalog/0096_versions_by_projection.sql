-- What agents are given of a tool is kept as a version by the projection that writes the tool. Instances of the version before leave it
-- to the triggers, beside this one.
CREATE OR REPLACE FUNCTION keep_tool_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('app.keeps_versions', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO tool_version_t AS known (host_id, tool_id, version, state, content, author, aggregate_version, update_ts, update_user, position)
  SELECT t.host_id, t.tool_id, t.version, 'approved', tool_version_content(t.*::tool_t), t.update_user, t.aggregate_version,
         t.update_ts, t.update_user, t.position
    FROM new_rows t WHERE t.approved
  ON CONFLICT (host_id, tool_id, version) DO UPDATE
    SET content = known.content || excluded.content, position = excluded.position
    WHERE (known.content || excluded.content) IS DISTINCT FROM known.content;
  RETURN NULL;
END $$;
