-- What a delivery tells of; one of before: a change of the catalog.
ALTER TABLE webhook_delivery_t ADD COLUMN kind text NOT NULL DEFAULT 'catalog-changed';
