-- Another service's word, by issuer and subject, and passkeys; attempts to show either.
ALTER TABLE "account"
  -- As whom the other service knows them, to tell one from another.
  ADD COLUMN "label" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "used_at" TIMESTAMPTZ(6);

CREATE TABLE "passkey" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  -- As the authenticator names it, in base64url.
  "credential_id" TEXT NOT NULL,
  -- COSE.
  "public_key" BYTEA NOT NULL,
  -- Signatures made, as it counts them; 0 where it does not.
  "counter" BIGINT NOT NULL,
  -- How browsers reach it, separated by commas.
  "transports" TEXT NOT NULL DEFAULT '',
  "name" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "used_at" TIMESTAMPTZ(6),
  CONSTRAINT "passkey_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "passkey_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "passkey_credential" ON "passkey"("credential_id");
CREATE INDEX "passkey_of_user" ON "passkey"("user_id");

-- Somebody who went to prove who they are and has not come back. Found by the digest of a cookie, used once.
CREATE TABLE "sign_in_attempt" (
  "digest" BYTEA NOT NULL,
  "kind" TEXT NOT NULL,
  -- Of who adds a way to sign in; null: they are to be signed in.
  "session_id" UUID,
  -- Digest of the invitation that they come by.
  "invitation" BYTEA,
  -- The page that they wanted.
  "next" TEXT NOT NULL,
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "sign_in_attempt_pkey" PRIMARY KEY ("digest"),
  CONSTRAINT "sign_in_attempt_kind" CHECK ("kind" IN ('service', 'passkey', 'new-passkey')),
  CONSTRAINT "sign_in_attempt_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE
);
CREATE INDEX "sign_in_attempt_of_session" ON "sign_in_attempt"("session_id");
CREATE INDEX "sign_in_attempt_expires" ON "sign_in_attempt"("expires_at");
