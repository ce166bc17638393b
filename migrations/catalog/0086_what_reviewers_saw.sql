-- What who approved or rejected a version had before them; its report shows it from then on.
ALTER TABLE tool_version_t ADD COLUMN seen jsonb;
