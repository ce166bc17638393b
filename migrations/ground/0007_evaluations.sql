-- Data sets of routing evaluations and their runs: operational, not part of the log.

CREATE TABLE evaluation_set_t (
  host_id     uuid NOT NULL,
  set_name    text COLLATE "C" NOT NULL,
  rows        jsonb NOT NULL,
  row_count   integer NOT NULL,
  update_ts   timestamptz(3) NOT NULL DEFAULT now(),
  update_user text NOT NULL,
  PRIMARY KEY (host_id, set_name)
);

CREATE TABLE evaluation_t (
  host_id       uuid NOT NULL,
  evaluation_id uuid NOT NULL,
  set_name      text COLLATE "C" NOT NULL,
  agent_def_id  uuid,
  -- Position of the log that the run saw at least.
  position      bigint NOT NULL,
  metrics       jsonb NOT NULL,
  confusions    jsonb NOT NULL,
  -- [{prompt, expect, rank, found, forbidden}]
  results       jsonb NOT NULL,
  -- Who may read it: the services and environments that the run's token covered.
  reader        text NOT NULL,
  update_ts     timestamptz(3) NOT NULL DEFAULT now(),
  update_user   text NOT NULL,
  PRIMARY KEY (host_id, evaluation_id)
);
