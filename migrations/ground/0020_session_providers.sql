-- Sessions of people whom an OpenID provider has signed in: whom it signs out again, and who fetches new tokens.
ALTER TABLE session_t
  -- Claim sid of the provider's ID token.
  ADD COLUMN provider_sid     text,
  -- Goes up with each new set of tokens; one instance at a time fetches one.
  ADD COLUMN generation       bigint NOT NULL DEFAULT 1,
  ADD COLUMN refreshing_until timestamptz(3);
CREATE INDEX session_subject_ix ON session_t (subject);
