-- Categories and tags, and what is classified with them: rebuilt from the log.

CREATE TABLE category_t (
  host_id            uuid NOT NULL,
  category_id        uuid NOT NULL,
  entity_type        text NOT NULL,
  category_name      text COLLATE "C" NOT NULL,
  category_desc      text,
  parent_category_id uuid,
  aggregate_version  bigint NOT NULL,
  active             boolean NOT NULL,
  update_ts          timestamptz(3) NOT NULL,
  update_user        text NOT NULL,
  position           bigint NOT NULL,
  PRIMARY KEY (host_id, category_id),
  -- A constraint that can be told to look at the end: names may be passed on within one batch of a rebuild.
  CONSTRAINT category_name_uk EXCLUDE USING btree (host_id WITH =, entity_type WITH =, category_name WITH =,
    (coalesce(parent_category_id, '00000000-0000-0000-0000-000000000000'::uuid)) WITH =) WHERE (active)
    DEFERRABLE INITIALLY IMMEDIATE
);

CREATE INDEX category_order_ix ON category_t (host_id, category_name, (category_id::text) COLLATE "C");
CREATE INDEX category_parent_ix ON category_t (host_id, parent_category_id) WHERE parent_category_id IS NOT NULL;

CREATE TABLE tag_t (
  host_id           uuid NOT NULL,
  tag_id            uuid NOT NULL,
  entity_type       text NOT NULL,
  tag_name          text COLLATE "C" NOT NULL,
  tag_desc          text,
  aggregate_version bigint NOT NULL,
  active            boolean NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, tag_id),
  CONSTRAINT tag_name_uk EXCLUDE USING btree (host_id WITH =, entity_type WITH =, tag_name WITH =) WHERE (active)
    DEFERRABLE INITIALLY IMMEDIATE
);

CREATE INDEX tag_order_ix ON tag_t (host_id, tag_name, (tag_id::text) COLLATE "C");

-- One row for each thing that was ever classified: its position tells when it was last.
CREATE TABLE entity_taxonomy_t (
  host_id           uuid NOT NULL,
  entity_type       text NOT NULL,
  entity_id         uuid NOT NULL,
  aggregate_version bigint NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, entity_type, entity_id)
);

-- What is selected now; a global entry is kept by the name that it had then.
CREATE TABLE entity_category_t (
  host_id     uuid NOT NULL,
  entity_type text NOT NULL,
  entity_id   uuid NOT NULL,
  category_id uuid NOT NULL,
  global_name text COLLATE "C",
  PRIMARY KEY (host_id, entity_type, entity_id, category_id)
);

CREATE INDEX entity_category_ix ON entity_category_t (host_id, category_id);
CREATE INDEX entity_category_global_ix ON entity_category_t (host_id, entity_type, global_name)
  WHERE global_name IS NOT NULL;

CREATE TABLE entity_tag_t (
  host_id     uuid NOT NULL,
  entity_type text NOT NULL,
  entity_id   uuid NOT NULL,
  tag_id      uuid NOT NULL,
  global_name text COLLATE "C",
  PRIMARY KEY (host_id, entity_type, entity_id, tag_id)
);

CREATE INDEX entity_tag_ix ON entity_tag_t (host_id, tag_id);
CREATE INDEX entity_tag_global_ix ON entity_tag_t (host_id, entity_type, global_name)
  WHERE global_name IS NOT NULL;

-- What the floors above read. Of a global entry `host_id` is that of who selected it.

CREATE VIEW category_read AS
SELECT host_id, category_id, entity_type, category_name, category_desc, parent_category_id, active, position
  FROM category_t;

CREATE VIEW tag_read AS
SELECT host_id, tag_id, entity_type, tag_name, tag_desc, active, position
  FROM tag_t;

CREATE VIEW entity_category_read AS
SELECT s.host_id, s.entity_type, s.entity_id, s.category_id, coalesce(s.global_name, c.category_name) AS category_name,
       coalesce(c.position, 0) AS position
  FROM entity_category_t s
  LEFT JOIN category_t c ON c.host_id = s.host_id AND c.category_id = s.category_id
 WHERE s.global_name IS NOT NULL OR c.active;

CREATE VIEW entity_tag_read AS
SELECT s.host_id, s.entity_type, s.entity_id, s.tag_id, coalesce(s.global_name, t.tag_name) AS tag_name,
       coalesce(t.position, 0) AS position
  FROM entity_tag_t s
  LEFT JOIN tag_t t ON t.host_id = s.host_id AND t.tag_id = s.tag_id
 WHERE s.global_name IS NOT NULL OR t.active;

-- Names, each once, code point by code point. `position` moves with the selection and with what was selected.
CREATE VIEW taxonomy_read AS
SELECT e.host_id, e.entity_type, e.entity_id,
       ARRAY(SELECT DISTINCT c.category_name FROM entity_category_read c
              WHERE c.host_id = e.host_id AND c.entity_type = e.entity_type AND c.entity_id = e.entity_id
              ORDER BY 1) AS categories,
       ARRAY(SELECT DISTINCT t.tag_name FROM entity_tag_read t
              WHERE t.host_id = e.host_id AND t.entity_type = e.entity_type AND t.entity_id = e.entity_id
              ORDER BY 1) AS tags,
       greatest(e.position,
         (SELECT max(c.position) FROM entity_category_t s
            JOIN category_t c ON c.host_id = s.host_id AND c.category_id = s.category_id
           WHERE s.host_id = e.host_id AND s.entity_type = e.entity_type AND s.entity_id = e.entity_id),
         (SELECT max(t.position) FROM entity_tag_t s
            JOIN tag_t t ON t.host_id = s.host_id AND t.tag_id = s.tag_id
           WHERE s.host_id = e.host_id AND s.entity_type = e.entity_type AND s.entity_id = e.entity_id)) AS position
  FROM entity_taxonomy_t e;

-- Global entries belong to the host of zeros and are read by every host, also where a host reads only its own rows.
CREATE POLICY category_global ON category_t FOR SELECT
  USING (host_id = '00000000-0000-0000-0000-000000000000'::uuid);
CREATE POLICY tag_global ON tag_t FOR SELECT
  USING (host_id = '00000000-0000-0000-0000-000000000000'::uuid);
