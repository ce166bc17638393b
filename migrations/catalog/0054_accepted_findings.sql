-- Changes that the number of a version was not raised for: [{version, rule, pointer, reason, approver, expires}].
ALTER TABLE tool_version_t ADD COLUMN accepted jsonb NOT NULL DEFAULT '[]';
