-- A text that the provider refuses holds up no other, and not the swap to a new model.
ALTER TABLE search_embedding_t ADD COLUMN refused boolean NOT NULL DEFAULT false;
