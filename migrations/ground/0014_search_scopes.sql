-- What tools refer to is meant within their API version. And words are counted by service and environment: what a token
-- may not see moves none of its scores, nor does it tell how a word is spelt.
-- The documents are made anew: their follower starts over, and no wall hinders that for the moment.
TRUNCATE search_document_t, search_term_t;
ALTER TABLE checkpoint_t NO FORCE ROW LEVEL SECURITY;
DELETE FROM checkpoint_t WHERE follower = 'search-documents';
ALTER TABLE checkpoint_t FORCE ROW LEVEL SECURITY;

ALTER TABLE search_document_t ADD COLUMN api_version_id uuid;
ALTER TABLE search_term_t
  -- Empty for what is host-wide.
  ADD COLUMN service_id text COLLATE "C" NOT NULL DEFAULT '',
  ADD COLUMN env_tag text COLLATE "C" NOT NULL DEFAULT '',
  DROP CONSTRAINT search_term_t_pkey,
  ADD PRIMARY KEY (host_id, kind, term, service_id, env_tag);

SET LOCAL ROLE portal_catalog_all_hosts;
DROP FUNCTION words_like(text[], text[]);
SET LOCAL ROLE NONE;

-- As words_like was (0010), of the documents of some services, null for all, and environments.
CREATE FUNCTION words_like(p_kinds text[], p_words text[], p_services text[], p_environments text[]) RETURNS SETOF text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO public, pg_temp
SET enable_seqscan TO off SET enable_indexscan TO off SET enable_indexonlyscan TO off AS $$
BEGIN
  RETURN QUERY
    SELECT DISTINCT near.term
      FROM unnest(p_words) AS written(term)
     CROSS JOIN LATERAL (
       SELECT t.term FROM search_term_t t
        WHERE t.host_id = nullif(current_setting('app.host', true), '')::uuid AND t.kind = ANY (p_kinds)
          AND (p_services IS NULL OR t.service_id = '' OR t.service_id = ANY (p_services))
          AND (t.env_tag = '' OR t.env_tag = ANY (p_environments))
          AND t.term % written.term
        GROUP BY t.term ORDER BY similarity(t.term, written.term) DESC, t.term LIMIT 20) near;
END $$;
REVOKE EXECUTE ON FUNCTION words_like(text[], text[], text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION words_like(text[], text[], text[], text[]) TO portal_catalog_host;
GRANT CREATE ON SCHEMA public TO portal_catalog_all_hosts;
ALTER FUNCTION words_like(text[], text[], text[], text[]) OWNER TO portal_catalog_all_hosts;
REVOKE CREATE ON SCHEMA public FROM portal_catalog_all_hosts;
