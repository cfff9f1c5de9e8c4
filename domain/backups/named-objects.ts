/** An object that a row names, and what its bytes hash to where that is known: `sha256:<hex>`. */
export interface NamedObject {
  readonly bucket: string;
  readonly key: string;
  readonly digest: string | null;
}

/** URLs that somebody may still read: `isNeeded` of the artifacts' holds asks the same of one object. */
const urls = `
  SELECT url FROM model
  UNION SELECT model_url FROM build WHERE ended_at IS NULL
  UNION SELECT r.model_url FROM revision r JOIN endpoint e ON e.id = r.endpoint_id WHERE e.deleted_at IS NULL
  UNION SELECT request -> 'calibration' ->> 'url' FROM build
  UNION SELECT url FROM inspection WHERE request ->> 'kind' = 'rows'`;

/** A query for every object of the store that rows name, once each and in order: files of artifacts, logs, models, rows. */
export const namedObjects = `
  SELECT bucket, key, max(digest) AS digest FROM (
    SELECT 'artifacts' AS bucket, substr(file ->> 'digest', 8) AS key, file ->> 'digest' AS digest
      FROM artifact, jsonb_array_elements(manifest -> 'files') file
    UNION ALL
    SELECT 'logs', log_object, 'sha256:' || log_sha256 FROM attempt WHERE log_object IS NOT NULL
    UNION ALL
    SELECT place[1], place[2], CASE WHEN place[1] LIKE 'uploads-%' AND place[2] ~ '^[0-9a-f]{64}$' THEN 'sha256:' || place[2] END
      FROM (${urls}) urls, regexp_match(url, '^s3://([a-z0-9.-]+)/(.+)$') place
      WHERE place[1] = 'boardwalk-samples' OR place[1] LIKE 'uploads-%'
  ) named GROUP BY bucket, key ORDER BY bucket, key`;
