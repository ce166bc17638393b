-- What is searched (contract 8): derived from the projections by a follower of the log, so that a rebuild of them
-- leaves it alone and an append does not wait for it.

CREATE TABLE search_document_t (
  host_id             uuid NOT NULL,
  kind                text NOT NULL,
  entity_id           uuid NOT NULL,
  name                text COLLATE "C" NOT NULL,
  description         text NOT NULL,
  -- What is filtered by. Null where the kind knows no such thing, or the thing is host-wide.
  service_id          text,
  env_tag             text,
  sensitivity_tier    text,
  domain              text,
  semantic_namespace  text,
  source_protocol     text,
  implementation_type text,
  lifecycle_status    text,
  api_id              text,
  target_personas     text[] NOT NULL,
  tags                text[] NOT NULL,
  categories          text[] NOT NULL,
  required_context    text[] NOT NULL,
  -- What weighs.
  semantic_weight     real NOT NULL,
  read_only           boolean NOT NULL,
  destructive         boolean NOT NULL,
  -- Own endpoint key, and what is offered beside it: {dependencies: [endpoint key], fallback, skills: [id]}.
  endpoint            text,
  related             jsonb NOT NULL,
  -- The words by field, as the ranking counts them; of the name; and all of them, each once, behind the last
  -- characters of the host, so that the words of one host lie together and no search walks through those of another.
  words               jsonb NOT NULL,
  title               text[] NOT NULL,
  terms               text[] NOT NULL,
  length              integer NOT NULL,
  PRIMARY KEY (host_id, kind, entity_id)
);

CREATE INDEX search_document_terms_ix ON search_document_t USING gin (terms);
CREATE INDEX search_document_routing_ix ON search_document_t (host_id, kind, domain);
CREATE INDEX search_document_endpoint_ix ON search_document_t (host_id, endpoint) WHERE endpoint IS NOT NULL;

-- In how many documents of a host and kind a word stands. The empty word counts the documents.
CREATE TABLE search_term_t (
  host_id   uuid NOT NULL,
  kind      text NOT NULL,
  term      text COLLATE "C" NOT NULL,
  documents integer NOT NULL,
  PRIMARY KEY (host_id, kind, term)
);

CREATE INDEX search_term_spelling_ix ON search_term_t USING gin (term gin_trgm_ops);
