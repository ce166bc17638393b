-- A writer that knows where the log ends may say so: then it need not wait for the answer to make its rows. SQLSTATE ES410:
-- the log ends elsewhere.
DROP FUNCTION append_events(uuid, text, text, text, text, uuid[], text[], int[], text[], text[], bigint[], uuid[], text[],
  text[], text[], timestamptz);
CREATE FUNCTION append_events(
  p_host uuid, p_user text, p_client text, p_source text, p_correlation text, p_ids uuid[], p_event_types text[],
  p_schema_versions int[], p_aggregate_types text[], p_aggregate_ids text[], p_versions bigint[], p_causations uuid[],
  p_data text[], p_data_digests text[], p_digests text[], p_at timestamptz(3), p_after bigint DEFAULT NULL
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
  IF head.position <> p_after THEN
    RAISE EXCEPTION 'the log does not end where it was foreseen' USING ERRCODE = 'ES410';
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
