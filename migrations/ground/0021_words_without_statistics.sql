-- Words are looked up in their indexes whatever the planner knows of the tables. An import fills them within seconds, and
-- no figure of theirs is there before somebody analyzes them: until then the planner took the documents for few, and read
-- all of them for each word of a prompt. And what an index has not taken in yet is read whole by each look into it, until a
-- vacuum comes, which the embedded database has none of: so they take in all at once.
ALTER INDEX search_document_terms_ix SET (fastupdate = off);
ALTER INDEX search_term_spelling_ix SET (fastupdate = off);

-- As before (0010), but neither host nor kind is compared in a way that another index than that of the words could serve.
GRANT CREATE ON SCHEMA public TO portal_catalog_all_hosts;
SET LOCAL ROLE portal_catalog_all_hosts;
CREATE OR REPLACE FUNCTION documents_with(p_kinds text[], p_terms text[]) RETURNS SETOF tid
LANGUAGE sql STABLE SECURITY DEFINER ROWS 10 SET search_path TO public, pg_temp
SET enable_seqscan TO off SET enable_indexscan TO off SET enable_indexonlyscan TO off AS $$
  SELECT ctid FROM search_document_t
   WHERE host_id::text = current_setting('app.host', true) AND (kind || '') = ANY (p_kinds) AND terms @> p_terms
$$;
SET LOCAL ROLE NONE;
REVOKE CREATE ON SCHEMA public FROM portal_catalog_all_hosts;
