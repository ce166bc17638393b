-- Which events of a stream say all of the same thing: a fold is given the last of them. The log keeps them all. An event of before, or of
-- an instance of the version before, has no row here and is given.
CREATE TABLE event_part_t (
  host_id           uuid NOT NULL,
  aggregate_type    text NOT NULL,
  aggregate_id      text NOT NULL,
  part              text NOT NULL,
  aggregate_version bigint NOT NULL,
  PRIMARY KEY (host_id, aggregate_type, aggregate_id, part, aggregate_version)
);
SELECT raise_walls('public');

CREATE FUNCTION read_states(p_hosts uuid[], p_types text[], p_ids text[]) RETURNS SETOF event_store_t
LANGUAGE plpgsql SET plan_cache_mode TO auto AS $$
BEGIN
  FOR i IN 1 .. cardinality(p_ids) LOOP
    RETURN QUERY SELECT * FROM event_store_t WHERE host_id = p_hosts[i] AND aggregate_type = p_types[i] AND aggregate_id = p_ids[i]
      AND aggregate_version NOT IN (
        SELECT p.aggregate_version
          FROM (SELECT q.aggregate_version, max(CASE WHEN e.data IS NOT NULL THEN q.aggregate_version END) OVER (PARTITION BY q.part) AS last
                  FROM event_part_t q
                  JOIN event_store_t e ON e.host_id = q.host_id AND e.aggregate_type = q.aggregate_type AND e.aggregate_id = q.aggregate_id
                   AND e.aggregate_version = q.aggregate_version
                 WHERE q.host_id = p_hosts[i] AND q.aggregate_type = p_types[i] AND q.aggregate_id = p_ids[i]) p
         WHERE p.aggregate_version < p.last)
      ORDER BY aggregate_version;
  END LOOP;
END $$;
