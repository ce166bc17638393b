-- Sessions of people at a browser (docs/decisions/0079-signing-in-behind-the-service.md). The cookie holds an id by chance, of which
-- only the hash is here; tokens are sealed with a key that the database does not know. Who comes with a cookie has no host
-- yet, so rows are found across hosts.
CREATE TABLE session_t (
  -- The host that is worked on at present, of those that the claims allow.
  host_id          uuid NOT NULL,
  -- Base64url SHA-256 of the id.
  session_hash     text NOT NULL,
  -- Narrows the claims; null where nothing is chosen.
  service_id       text,
  env_tag          text,
  -- Who signed in.
  issuer           text NOT NULL,
  subject          text NOT NULL,
  -- The token and the name of the person.
  sealed           text NOT NULL,
  created          timestamptz(3) NOT NULL DEFAULT now(),
  used             timestamptz(3) NOT NULL DEFAULT now(),
  ends             timestamptz(3) NOT NULL,
  PRIMARY KEY (host_id, session_hash)
);
CREATE INDEX session_hash_ix ON session_t (session_hash);
CREATE INDEX session_ends_ix ON session_t (ends);

SELECT raise_walls('public');
GRANT SELECT, INSERT, UPDATE, DELETE ON session_t TO portal_catalog_all_hosts;
