-- A writer that takes the log to end at a position asks for it in the packet of its append, and need not wait for an answer to
-- make its rows. Takes the host's lock, as the append does. SQLSTATE ES410: the log ends elsewhere.
CREATE FUNCTION expect_end(p_host uuid, p_position bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM host_head_t WHERE host_id = p_host AND position = p_position FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the log does not end where it was foreseen' USING ERRCODE = 'ES410';
  END IF;
END $$;
