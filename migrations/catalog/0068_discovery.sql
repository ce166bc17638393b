-- What of a host is public, and whether it is answered to everybody: rebuilt from the log.

ALTER TABLE host_settings_t ADD COLUMN discovery boolean NOT NULL DEFAULT false;

CREATE TABLE public_entry_t (
  host_id           uuid NOT NULL,
  -- The id of the skill, tool, gateway or agent.
  entity_id         uuid NOT NULL,
  kind              text COLLATE "C" NOT NULL,
  name              text,
  description       text NOT NULL,
  url               text,
  aggregate_version bigint NOT NULL,
  active            boolean NOT NULL,
  update_ts         timestamptz(3) NOT NULL,
  update_user       text NOT NULL,
  position          bigint NOT NULL,
  PRIMARY KEY (host_id, entity_id)
);

-- Where gateways are, for those who may know of it.
CREATE VIEW gateway_address_read AS
SELECT host_id, gateway_id, url, auth IS NOT NULL AS authenticated, aggregate_version, update_ts
  FROM gateway_t;
