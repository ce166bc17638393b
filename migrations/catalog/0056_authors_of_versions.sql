-- All who have written on a version, or on one that it continues: none of them approves it. Empty for what came without being written as one.
ALTER TABLE tool_version_t ADD COLUMN authors text[] NOT NULL DEFAULT '{}';
UPDATE tool_version_t SET authors = ARRAY[author] WHERE origin IS NOT NULL;
