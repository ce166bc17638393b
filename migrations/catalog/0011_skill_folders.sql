-- What came with a skill that was imported as a folder (agentskills.io): rebuilt from the log.

CREATE TABLE skill_folder_t (
  host_id           uuid NOT NULL,
  skill_id          uuid NOT NULL,
  -- The frontmatter of SKILL.md with its fences, as it was written.
  head              text NOT NULL,
  -- [{path, base64}], without SKILL.md, by path.
  files             jsonb NOT NULL,
  aggregate_version bigint NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, skill_id)
);
