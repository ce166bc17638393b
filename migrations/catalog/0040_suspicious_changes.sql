-- Whether something suspicious has come with the documents of an endpoint since somebody accepted what they say.

ALTER TABLE api_endpoint_t ADD COLUMN suspicious boolean NOT NULL DEFAULT false;
