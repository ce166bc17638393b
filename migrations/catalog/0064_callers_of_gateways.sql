-- How a gateway passes on who calls: {type, ...} as decision 74 says. No catalog is made of it, so the history goes without.
ALTER TABLE gateway_t ADD COLUMN caller_identity jsonb NOT NULL DEFAULT '{"type": "credential"}';
