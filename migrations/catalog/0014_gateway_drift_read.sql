-- What was last found of each gateway, for the floors above.

CREATE VIEW gateway_drift_read AS
SELECT DISTINCT ON (host_id, gateway_id) host_id, gateway_id, checked_ts, failure, findings, position
  FROM gateway_drift_t
 WHERE kind = 'recorded'
 ORDER BY host_id, gateway_id, position DESC;
