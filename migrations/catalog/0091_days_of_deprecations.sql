-- Deprecated versions whose day has not passed yet, by their day: asked every few seconds.
CREATE INDEX tool_version_day_ix ON tool_version_t (host_id, (deprecation ->> 'on') COLLATE "C")
 WHERE state = 'deprecated' AND deprecation -> 'overdue' IS NULL;
GRANT SELECT (host_id, state, deprecation) ON tool_version_t TO portal_catalog_all_hosts;
