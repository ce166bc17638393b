-- What a version is evaluated by stays with it: {prompts: [{prompt, expected, forbidden}], thresholds}, and the file as it was
-- pushed. Null for a version that came without.
ALTER TABLE tool_version_t ADD COLUMN eval_config jsonb;
ALTER TABLE tool_version_t ADD COLUMN eval_config_text text;
-- source: the endpoint or the author of the tool made it; spec: somebody wrote it as a version. Null where it was approved as it came.
ALTER TABLE tool_version_t ADD COLUMN origin text;
