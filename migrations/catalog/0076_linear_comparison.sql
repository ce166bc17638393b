-- What a tool is given is compared with the version that is there member by member. Containment (0050) compared each item of
-- a list with each of the other: a schema of 60 KB took seconds a write, and one of 250 KB all memory of the database. It also
-- took a version for the same where a guard or a member of its schema was gone.
CREATE OR REPLACE FUNCTION keep_tool_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tool_version_t AS known (host_id, tool_id, version, state, content, author, aggregate_version, update_ts, update_user, position)
  SELECT t.host_id, t.tool_id, t.version, 'approved', tool_version_content(t.*::tool_t), t.update_user, t.aggregate_version,
         t.update_ts, t.update_user, t.position
    FROM new_rows t WHERE t.approved
  ON CONFLICT (host_id, tool_id, version) DO UPDATE
    SET content = known.content || excluded.content, position = excluded.position
    WHERE (known.content || excluded.content) IS DISTINCT FROM known.content;
  RETURN NULL;
END $$;
