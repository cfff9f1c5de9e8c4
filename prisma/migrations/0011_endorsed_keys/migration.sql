-- What the key before it says of a key: board servers take a new one for nothing less.
ALTER TABLE "signing_key" ADD COLUMN "endorsement" JSONB;
