-- The index of vectors holds those alone that a search is led to by it. Built-in ones add to what words have found: they
-- were the dearest part of everything written, and nobody walked among them.
ALTER TABLE search_embedding_t ADD COLUMN walked boolean NOT NULL DEFAULT false;
-- First of all: what is changed below would go into it.
DROP INDEX search_embedding_near_ix;
-- No wall hinders that for the moment.
ALTER TABLE search_embedding_t NO FORCE ROW LEVEL SECURITY;
UPDATE search_embedding_t SET walked = true WHERE status = 'ready' AND NOT starts_with(model, 'lexical-hash-');
ALTER TABLE search_embedding_t FORCE ROW LEVEL SECURITY;
CREATE INDEX search_embedding_near_ix ON search_embedding_t USING hnsw (embedding vector_cosine_ops) WHERE walked;
