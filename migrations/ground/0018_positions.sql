-- Positions begin at 1. Not checked on what is there already, so that no old log stops a start: verify finds what lies before.
ALTER TABLE event_store_t ADD CONSTRAINT event_store_position_ck CHECK (position > 0) NOT VALID;
