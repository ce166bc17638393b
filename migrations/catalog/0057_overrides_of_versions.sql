-- {reason, by, at}: why a version was approved by an override, for good; the review of a retired version says why that was.
ALTER TABLE tool_version_t ADD COLUMN override jsonb;
UPDATE tool_version_t
   SET override = jsonb_build_object('reason', review #>> '{override,reason}', 'by', review ->> 'by', 'at', review ->> 'at')
 WHERE review #>> '{override,reason}' IS NOT NULL;
