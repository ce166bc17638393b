-- What rows were before: for reading the catalog as of an earlier position.

-- Gives a projection's table a history: `x_t` gets `x_history_t`, into which every change of a row puts the row as it was,
-- from its `position` on and up to `to_position`, where it became another. Columns named in `p_without` are not kept.
-- One set-based statement for each statement that changes rows; live and on a rebuild alike.
CREATE FUNCTION keep_history(p_table text, p_key text[], p_without text[] DEFAULT '{}') RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  history text := regexp_replace(p_table, '_t$', '_history_t');
  trigger_function text := regexp_replace(p_table, '_t$', '_history');
  row_key text := array_to_string('host_id'::text || p_key, ', ');
  kept text;
BEGIN
  SELECT string_agg(format('o.%I', attname), ', ' ORDER BY attnum) INTO kept FROM pg_attribute
   WHERE attrelid = p_table::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL (p_without);
  EXECUTE format('CREATE TABLE %I AS SELECT 0::bigint AS to_position, %s FROM %I o WITH NO DATA',
    history, kept, p_table);
  EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (%s, to_position)', history, row_key);
  EXECUTE format($create$
    CREATE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      INSERT INTO %I SELECT n.position, %s FROM old_rows o JOIN new_rows n USING (%s) WHERE n.position > o.position;
      RETURN NULL;
    END $body$ $create$, trigger_function, history, kept, row_key);
  EXECUTE format('CREATE TRIGGER keep_history AFTER UPDATE ON %I
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION %I()',
    p_table, trigger_function);
END $$;

-- Position of the host's last event at or before a moment; 0 where there was none. Time never runs backwards within a
-- host and positions have no gaps: a search by halves needs no index.
CREATE FUNCTION position_at(p_host uuid, p_time timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  low bigint := 0;
  high bigint := coalesce((SELECT position FROM host_head_t WHERE host_id = p_host), 0);
  middle bigint;
BEGIN
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    IF (SELECT time FROM event_store_t WHERE host_id = p_host AND position = middle) <= p_time THEN
      low := middle;
    ELSE
      high := middle - 1;
    END IF;
  END LOOP;
  RETURN low;
END $$;
