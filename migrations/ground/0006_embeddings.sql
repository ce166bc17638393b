-- Vectors of what is searched (contract 8): derived, made by a provider. One row is one text of one thing under one
-- model: another text or another model is another row, so that nothing is ever embedded twice, and a vector that
-- comes late finds no row to go to. Vectors of a new model are made beside those of the old one.

CREATE TABLE search_embedding_t (
  host_id      uuid NOT NULL,
  kind         text NOT NULL,
  entity_id    uuid NOT NULL,
  -- text: the fields that the settings name; example: one example prompt.
  source_field text NOT NULL,
  -- Hex SHA-256 of the text.
  source_hash  text COLLATE "C" NOT NULL,
  model        text NOT NULL,
  dimension    integer NOT NULL,
  source_text  text NOT NULL,
  -- pending, ready, failed (and tried again).
  status       text NOT NULL DEFAULT 'pending',
  attempts     integer NOT NULL DEFAULT 0,
  error        text,
  -- Not to be taken before: somebody is at it, or it has failed and waits.
  not_before   timestamptz,
  embedded_at  timestamptz(3),
  embedding    vector(384),
  PRIMARY KEY (host_id, kind, entity_id, model, source_field, source_hash)
);

CREATE INDEX search_embedding_due_ix ON search_embedding_t (model, not_before NULLS FIRST) WHERE status <> 'ready';
CREATE INDEX search_embedding_near_ix ON search_embedding_t USING hnsw (embedding vector_cosine_ops)
  WHERE status = 'ready';

-- The models whose vectors of a host are complete, from then on used: the youngest counts.
CREATE TABLE search_model_t (
  host_id    uuid NOT NULL,
  model      text NOT NULL,
  live_since timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (host_id, model)
);
