-- An instance of the version before writes a row of an endpoint without what is told in place of its texts, beside this one or after
-- a rollback: what stands there is of the row before. Nothing is told of such a row until somebody has looked through it.

-- Nor its name and its scopes, whose descriptions are texts of the document as well.
ALTER TABLE api_endpoint_t ALTER COLUMN redacted SET DEFAULT '{"unread": true, "endpoint_name": "", "endpoint_desc": "",
  "routing_domain": "", "semantic_namespace": "", "category": "", "cost_tier": "", "document_tags": [], "target_personas": [],
  "persona_keys": [], "tool_schema": {}, "response_schema": {}, "tool_metadata": {"routing": {}, "safety": {}}, "provenance": {},
  "scopes": []}';

CREATE FUNCTION endpoint_row_of() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('app.redacted_row', NEW.endpoint_id || ' ' || NEW.position, true);
  RETURN NEW;
END $$;

CREATE FUNCTION endpoint_unread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('app.redacted_row', true) IS DISTINCT FROM NEW.endpoint_id || ' ' || NEW.position THEN
    NEW.redacted := '{"unread": true, "endpoint_name": "", "endpoint_desc": "", "routing_domain": "", "semantic_namespace": "",
      "category": "", "cost_tier": "", "document_tags": [], "target_personas": [], "persona_keys": [], "tool_schema": {},
      "response_schema": {}, "tool_metadata": {"routing": {}, "safety": {}}, "provenance": {}, "scopes": []}';
  END IF;
  RETURN NEW;
END $$;

-- In the order of their names: the first knows by the columns that are set whether the writer has looked.
CREATE TRIGGER redacted_1_set BEFORE UPDATE OF redacted ON api_endpoint_t FOR EACH ROW EXECUTE FUNCTION endpoint_row_of();
CREATE TRIGGER redacted_2_unread BEFORE UPDATE OF endpoint_desc, endpoint_name, routing_domain, semantic_namespace, category,
  document_tags, cost_tier, target_personas, persona_keys, tool_schema, response_schema, tool_metadata, provenance
  ON api_endpoint_t FOR EACH ROW EXECUTE FUNCTION endpoint_unread();
