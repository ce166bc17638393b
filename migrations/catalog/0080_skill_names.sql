-- Names that are read alike are one name: filled by every change of a name, and by a rebuild. Letters without
-- accents fold by themselves at once.

ALTER TABLE skill_t ADD COLUMN name_folded text COLLATE "C";
CREATE INDEX skill_folded_name_ix ON skill_t (host_id, name_folded) WHERE active;
UPDATE skill_t SET name_folded = lower(name COLLATE "C") WHERE name ~ '^[ -~]*$';
