export { createEnrolment, enrol } from "./enrolment";
export { authenticate, currentNonce, type SignedRequest } from "./nonces";
export { type PollAnswer, poll } from "./poll";
export { openFileForServer } from "./queries";
export { adopt, listSightings, release } from "./sightings";
