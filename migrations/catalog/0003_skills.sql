-- Skills and the tools that they may use: rebuilt from the log.

CREATE TABLE skill_t (
  host_id           uuid NOT NULL,
  skill_id          uuid NOT NULL,
  name              text COLLATE "C" NOT NULL,
  description       text NOT NULL,
  content_markdown  text NOT NULL,
  version           text NOT NULL,
  parent_skill_id   uuid,
  aggregate_version bigint NOT NULL,
  active            boolean NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, skill_id),
  -- A name belongs to one active skill of its host. A unique index would refuse skills that pass a name on to each
  -- other within one batch of a rebuild; this one can be told to look at the end.
  CONSTRAINT skill_active_name_uk EXCLUDE USING btree (host_id WITH =, name WITH =) WHERE (active)
    DEFERRABLE INITIALLY IMMEDIATE
);

-- The order of the list.
CREATE INDEX skill_name_ix ON skill_t (host_id, name, (skill_id::text) COLLATE "C");
CREATE INDEX skill_parent_ix ON skill_t (host_id, parent_skill_id) WHERE parent_skill_id IS NOT NULL;

-- A link that was taken away stays as an inactive row: its position tells when.
CREATE TABLE skill_tool_t (
  host_id           uuid NOT NULL,
  skill_id          uuid NOT NULL,
  tool_id           uuid NOT NULL,
  access_level      text NOT NULL,
  config            jsonb NOT NULL,
  aggregate_version bigint NOT NULL,
  active            boolean NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, skill_id, tool_id)
);

CREATE INDEX skill_tool_tool_ix ON skill_tool_t (host_id, tool_id);

-- What the floors above read.

CREATE VIEW skill_read AS
SELECT host_id, skill_id, name, description, content_markdown, version, parent_skill_id, active, position
  FROM skill_t;

CREATE VIEW skill_tool_read AS
SELECT host_id, skill_id, tool_id, access_level, config, active, position
  FROM skill_tool_t;
