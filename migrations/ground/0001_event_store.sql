-- The log: the one truth. Rows are only ever added; `data` alone may be set to null where it had to be erased.
CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

CREATE TABLE event_store_t (
  host_id           uuid NOT NULL,
  position          bigint NOT NULL,
  id                uuid NOT NULL,
  event_type        text NOT NULL,
  schema_version    int NOT NULL,
  aggregate_type    text NOT NULL,
  aggregate_id      text NOT NULL,
  aggregate_version bigint NOT NULL,
  user_id           text NOT NULL,
  client_id         text,
  source            text NOT NULL,
  correlation_id    text NOT NULL,
  causation_id      uuid,
  time              timestamptz(3) NOT NULL,
  data              text,
  data_digest       text NOT NULL,
  hash              text NOT NULL,
  PRIMARY KEY (host_id, position),
  CONSTRAINT event_store_stream_uk UNIQUE (host_id, aggregate_type, aggregate_id, aggregate_version),
  CONSTRAINT event_store_id_uk UNIQUE (host_id, id)
);

-- Where each host's log ends. Its row is the lock under which the host is written to. Room is left in the pages so
-- that a new version of a row finds its place beside the old one.
CREATE TABLE host_head_t (
  host_id  uuid PRIMARY KEY,
  position bigint NOT NULL DEFAULT 0,
  time     timestamptz(3),
  hash     text NOT NULL DEFAULT repeat('0', 64)
) WITH (fillfactor = 40);

CREATE TABLE checkpoint_t (
  host_id    uuid NOT NULL,
  follower   text NOT NULL,
  position   bigint NOT NULL DEFAULT 0,
  failures   int NOT NULL DEFAULT 0,
  retry_after timestamptz,
  PRIMARY KEY (host_id, follower)
);

CREATE TABLE idempotency_key_t (
  host_id     uuid NOT NULL,
  key         text NOT NULL,
  fingerprint text NOT NULL,
  status      int NOT NULL,
  headers     jsonb NOT NULL,
  body        text NOT NULL,
  created     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (host_id, key)
);
CREATE INDEX idempotency_key_created_ix ON idempotency_key_t (created);

-- Takes the host's lock until the end of the transaction and gives where its log ends, and the time of what is
-- appended next.
CREATE FUNCTION lock_head(p_host uuid) RETURNS TABLE ("position" bigint, hash text, at text) LANGUAGE plpgsql AS $$
DECLARE
  head host_head_t%ROWTYPE;
BEGIN
  SELECT * INTO head FROM host_head_t WHERE host_id = p_host FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO host_head_t (host_id) VALUES (p_host) ON CONFLICT DO NOTHING;
    SELECT * INTO head FROM host_head_t WHERE host_id = p_host FOR UPDATE;
  END IF;
  "position" := head.position;
  hash := head.hash;
  at := to_char(greatest(date_trunc('milliseconds', clock_timestamp()), head.time) AT TIME ZONE 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  RETURN NEXT;
END $$;

-- A plan is kept, also one that was made while the table was small and any index would do. Where it matters, ORDER BY
-- makes one index the better choice from the first row on; so these functions may keep their plans also where a
-- session makes new ones for every statement.

-- Events of streams, stream by stream: no join whose plan could turn into a scan of the log.
CREATE FUNCTION read_streams(p_hosts uuid[], p_types text[], p_ids text[]) RETURNS SETOF event_store_t
LANGUAGE plpgsql SET plan_cache_mode TO auto AS $$
BEGIN
  FOR i IN 1 .. cardinality(p_ids) LOOP
    RETURN QUERY SELECT * FROM event_store_t WHERE host_id = p_hosts[i] AND aggregate_type = p_types[i]
      AND aggregate_id = p_ids[i] ORDER BY aggregate_version;
  END LOOP;
END $$;

-- Takes the host's lock, then reads streams as they are under it: one call in place of two. The statements of a
-- function see what was committed while the lock was waited for.
CREATE FUNCTION lock_and_read(p_host uuid, p_types text[], p_ids text[]) RETURNS SETOF event_store_t
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_head(p_host);
  RETURN QUERY SELECT * FROM read_streams(array_fill(p_host, ARRAY[cardinality(p_ids)]), p_types, p_ids);
END $$;

-- Takes the host's lock and tells whether one of the streams is beyond the version given.
CREATE FUNCTION lock_and_compare(p_host uuid, p_types text[], p_ids text[], p_versions bigint[]) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode TO auto AS $$
BEGIN
  PERFORM lock_head(p_host);
  FOR i IN 1 .. cardinality(p_ids) LOOP
    PERFORM FROM event_store_t WHERE host_id = p_host AND aggregate_type = p_types[i]
      AND aggregate_id = p_ids[i] AND aggregate_version > p_versions[i] ORDER BY aggregate_version LIMIT 1;
    IF FOUND THEN
      RETURN true;
    END IF;
  END LOOP;
  RETURN false;
END $$;

-- The next events of a host's log: at most so many, and no more once their data has so many bytes.
CREATE FUNCTION read_log(p_host uuid, p_after bigint, p_limit bigint, p_bytes bigint) RETURNS SETOF event_store_t
LANGUAGE plpgsql AS $$
DECLARE
  e event_store_t%ROWTYPE;
  bytes bigint := 0;
BEGIN
  FOR e IN SELECT * FROM event_store_t WHERE host_id = p_host AND position > p_after ORDER BY position LIMIT p_limit
  LOOP
    RETURN NEXT e;
    bytes := bytes + coalesce(octet_length(e.data), 0);
    EXIT WHEN bytes >= p_bytes;
  END LOOP;
END $$;

-- Appends the events of one write: locks the host's head, gives positions and time (that of lock_head() where it was
-- asked before), chains the hashes, inserts, moves the head. SQLSTATE ES409: a version does not follow its stream's last; one that is taken breaks event_store_stream_uk.
CREATE FUNCTION append_events(
  p_host uuid, p_user text, p_client text, p_source text, p_correlation text, p_ids uuid[], p_event_types text[],
  p_schema_versions int[], p_aggregate_types text[], p_aggregate_ids text[], p_versions bigint[], p_causations uuid[],
  p_data text[], p_data_digests text[], p_digests text[], p_at timestamptz(3)
) RETURNS TABLE (first_position bigint, at text, hashes text[])
LANGUAGE plpgsql SET plan_cache_mode TO auto AS $$
DECLARE
  head host_head_t%ROWTYPE;
  moment timestamptz(3);
BEGIN
  SELECT * INTO head FROM host_head_t WHERE host_id = p_host FOR UPDATE;
  IF NOT FOUND THEN
    PERFORM lock_head(p_host);
    SELECT * INTO head FROM host_head_t WHERE host_id = p_host;
  END IF;
  first_position := head.position + 1;
  moment := coalesce(p_at, greatest(date_trunc('milliseconds', clock_timestamp()), head.time));
  at := to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

  -- Row by row: for the few events of an ordinary write that is cheaper than to unnest so many arrays.
  FOR i IN 1 .. cardinality(p_ids) LOOP
    IF p_versions[i] > 1 THEN
      PERFORM FROM event_store_t WHERE host_id = p_host AND aggregate_type = p_aggregate_types[i]
        AND aggregate_id = p_aggregate_ids[i] AND aggregate_version >= p_versions[i] - 1
        ORDER BY aggregate_version LIMIT 1;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the stream is not at the version expected' USING ERRCODE = 'ES409';
      END IF;
    END IF;
    head.position := head.position + 1;
    head.hash := encode(sha256(convert_to(
      head.hash || E'\n' || head.position || E'\n' || at || E'\n' || p_digests[i], 'UTF8')), 'hex');
    hashes[i] := head.hash;
    INSERT INTO event_store_t (host_id, position, id, event_type, schema_version, aggregate_type, aggregate_id,
      aggregate_version, user_id, client_id, source, correlation_id, causation_id, time, data, data_digest, hash)
    VALUES (p_host, head.position, p_ids[i], p_event_types[i], p_schema_versions[i], p_aggregate_types[i],
      p_aggregate_ids[i], p_versions[i], p_user, p_client, p_source, p_correlation, p_causations[i], moment,
      p_data[i], p_data_digests[i], head.hash);
  END LOOP;

  UPDATE host_head_t SET position = head.position, time = moment, hash = head.hash WHERE host_id = p_host;
  RETURN NEXT;
END $$;
