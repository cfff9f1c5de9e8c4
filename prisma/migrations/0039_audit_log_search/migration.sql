-- Text within who did something and within what it was done to, among millions of entries. `domain/audit-log/queries.ts` spells both alike.
CREATE INDEX "audit_entry_actor" ON "audit_entry" USING gin (("actor_kind" || ' ' || coalesce("actor_name", '')) gin_trgm_ops);
CREATE INDEX "audit_entry_target" ON "audit_entry" USING gin ((coalesce("target_noun", '') || ' ' || coalesce("target_id", '') || ' ' || coalesce("target_name", '')) gin_trgm_ops);
