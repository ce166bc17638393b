-- What PostgreSQL lets everybody do, and who runs a compiled query must not: make tables of their own, be they
-- temporary, and write large objects. A read-only transaction refuses the first, the second only from PostgreSQL 16 on.
-- A copy of a database has none of its privileges: where one is made, this is called again. A user who may not take a
-- privilege away is warned and goes on.
CREATE FUNCTION close_to_public() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  BEGIN
    REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea), lo_put(oid, bigint, bytea),
      lo_open(oid, integer), lowrite(integer, bytea), lo_truncate(integer, integer), lo_truncate64(integer, bigint),
      lo_unlink(oid) FROM PUBLIC;
  EXCEPTION WHEN insufficient_privilege THEN
    -- Somebody has taken them from this user as well.
    NULL;
  END;
END $$;
REVOKE EXECUTE ON FUNCTION close_to_public(), raise_walls(text) FROM PUBLIC;

SELECT close_to_public();
