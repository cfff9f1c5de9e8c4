-- The gateway hears of a new endpoint at once, so that it answers 503 "building" rather than 404 until its next look.
CREATE TRIGGER "notify_route_new_endpoint" AFTER INSERT ON "endpoint"
  FOR EACH ROW EXECUTE FUNCTION "notify_route"();
