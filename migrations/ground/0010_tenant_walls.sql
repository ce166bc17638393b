-- Walls between hosts that hold also where a statement forgets to name its host (docs/decisions/0025-tenant-walls.md).
-- Who works on one host does so as portal_catalog_host, and sees the rows of the host that `app.host` names; both are set
-- for one transaction. What must cross hosts does so as portal_catalog_all_hosts, which may touch what it is granted
-- here and in the migrations of the catalog, and nothing else. Compiled graph queries are portal_catalog_query's.

-- Roles belong to the whole server: another database of it may be migrated at the same moment.
DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['portal_catalog_host', 'portal_catalog_all_hosts', 'portal_catalog_query'] LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
        EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
      END IF;
    EXCEPTION
      WHEN duplicate_object OR unique_violation THEN NULL;
      WHEN insufficient_privilege THEN
        RAISE EXCEPTION 'the role % is missing, and % may not make it', wanted, current_user
          USING HINT = format('An administrator says once: CREATE ROLE %I NOLOGIN; GRANT %1$I TO %I%s;', wanted, current_user,
            CASE WHEN wanted = 'portal_catalog_all_hosts' THEN ' WITH INHERIT FALSE (from PostgreSQL 16 on)' ELSE '' END);
    END;
    -- From PostgreSQL 16 on, to have made a role is to be its member, but not to be allowed to become it; and whoever
    -- becomes portal_catalog_all_hosts need not have its sight all the time.
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AND NOT EXISTS (
      SELECT FROM pg_auth_members m
       WHERE m.roleid = wanted::regrole AND m.member = current_user::regrole
         AND coalesce((to_jsonb(m) ->> 'set_option')::boolean, true)
         AND (wanted = 'portal_catalog_all_hosts'
              OR coalesce((to_jsonb(m) ->> 'inherit_option')::boolean, true))) THEN
      EXECUTE format('GRANT %I TO %I', wanted, current_user) || CASE
        WHEN wanted = 'portal_catalog_all_hosts' AND current_setting('server_version_num')::integer >= 160000
        THEN ' WITH INHERIT FALSE, SET TRUE' ELSE '' END;
    END IF;
  END LOOP;
END $$;

-- Raises the walls that are missing in a schema: around each table with a host_id, whoever made it. Views belong to
-- portal_catalog_host, so that what they show is what that role sees, whoever reads them.
CREATE FUNCTION raise_walls(p_schema text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  relation regclass;
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO portal_catalog_host, portal_catalog_all_hosts, portal_catalog_query',
    p_schema);
  FOR relation IN
    SELECT c.oid FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'host_id'
     WHERE c.relnamespace = p_schema::regnamespace AND c.relkind = 'r' AND NOT c.relforcerowsecurity
  LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', relation);
    -- An expression, not a function of our own: the planner knows it for one and the same as the statement's own host.
    EXECUTE format($policy$CREATE POLICY host_wall ON %s
      USING (host_id = nullif(current_setting('app.host', true), '')::uuid)$policy$, relation);
    EXECUTE format('CREATE POLICY all_hosts ON %s TO portal_catalog_all_hosts USING (true)', relation);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO portal_catalog_host', relation);
  END LOOP;

  EXECUTE format('GRANT CREATE ON SCHEMA %I TO portal_catalog_host', p_schema);
  FOR relation IN
    SELECT c.oid FROM pg_class c
     WHERE c.relnamespace = p_schema::regnamespace AND c.relkind = 'v' AND c.relowner <> 'portal_catalog_host'::regrole
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('ALTER VIEW %s OWNER TO portal_catalog_host', relation);
  END LOOP;
  EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM portal_catalog_host', p_schema);
END $$;

SELECT raise_walls('public');
-- The log is only ever added to.
REVOKE UPDATE, DELETE ON event_store_t FROM portal_catalog_host;

-- Who looks after many hosts at once: which of them have moved, what is due, what is over.
GRANT SELECT (host_id, position) ON host_head_t TO portal_catalog_all_hosts;
GRANT SELECT (host_id) ON event_store_t TO portal_catalog_all_hosts;
GRANT SELECT ON checkpoint_t TO portal_catalog_all_hosts;
GRANT SELECT (host_id, key, created), UPDATE (created), DELETE ON idempotency_key_t TO portal_catalog_all_hosts;
GRANT SELECT, INSERT, UPDATE, DELETE ON gateway_check_t TO portal_catalog_all_hosts;
GRANT SELECT, UPDATE, DELETE ON webhook_delivery_t TO portal_catalog_all_hosts;
GRANT SELECT, INSERT, UPDATE, DELETE ON search_embedding_t TO portal_catalog_all_hosts;
GRANT SELECT, INSERT, DELETE ON search_model_t TO portal_catalog_all_hosts;

-- What reads an index of words. Behind a wall the planner uses no operator that might tell of rows beyond it, and those
-- that search texts are not vouched for: @> and % would read every row of the host. So these two look for both walls
-- and words, as a role that no wall stops; they name the host themselves, the one of the transaction.

-- Where the documents stand that hold all of these words. In a select list it gives them one by one, so that who has
-- enough of them stops it; few are announced, so that each is fetched from there.
CREATE FUNCTION documents_with(p_kinds text[], p_terms text[]) RETURNS SETOF tid
LANGUAGE sql STABLE SECURITY DEFINER ROWS 10 SET search_path TO public, pg_temp AS $$
  SELECT ctid FROM search_document_t
   WHERE host_id = nullif(current_setting('app.host', true), '')::uuid AND kind = ANY (p_kinds) AND terms @> p_terms
$$;

-- The words of documents that look like one of these, 20 of each at most. The planner takes % to be as cheap as =, and
-- would rather compare with every word: only the bitmap of the trigrams is left to it.
CREATE FUNCTION words_like(p_kinds text[], p_words text[]) RETURNS SETOF text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO public, pg_temp
SET enable_seqscan TO off SET enable_indexscan TO off SET enable_indexonlyscan TO off AS $$
BEGIN
  RETURN QUERY
    SELECT DISTINCT near.term
      FROM unnest(p_words) AS written(term)
     CROSS JOIN LATERAL (
       SELECT t.term FROM search_term_t t
        WHERE t.host_id = nullif(current_setting('app.host', true), '')::uuid AND t.kind = ANY (p_kinds)
          AND t.term % written.term
        ORDER BY similarity(t.term, written.term) DESC, t.term LIMIT 20) near;
END $$;

REVOKE EXECUTE ON FUNCTION documents_with(text[], text[]), words_like(text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION documents_with(text[], text[]), words_like(text[], text[]) TO portal_catalog_host;
GRANT SELECT ON search_document_t, search_term_t TO portal_catalog_all_hosts;
GRANT CREATE ON SCHEMA public TO portal_catalog_all_hosts;
ALTER FUNCTION documents_with(text[], text[]) OWNER TO portal_catalog_all_hosts;
ALTER FUNCTION words_like(text[], text[]) OWNER TO portal_catalog_all_hosts;
REVOKE CREATE ON SCHEMA public FROM portal_catalog_all_hosts;
