-- At which position of the log a record's search document was last made, changed or removed: by it the indexes that instances
-- keep in memory follow the documents. What is older than an index is read as a whole, so that nothing is added for documents
-- that are there already.
CREATE TABLE search_change_t (
  host_id   uuid NOT NULL,
  kind      text NOT NULL,
  entity_id uuid NOT NULL,
  position  bigint NOT NULL,
  PRIMARY KEY (host_id, kind, entity_id)
);
CREATE INDEX search_change_position_ix ON search_change_t (host_id, position);
SELECT raise_walls('public');
