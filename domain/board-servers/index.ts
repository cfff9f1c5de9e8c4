export { attach, detach, getAttachment, listAttachments } from "./attachments";
export { createEnrolment, enrol } from "./enrolment";
export { authenticate, currentNonce } from "./nonces";
export { poll } from "./poll";
export { openFileForServer } from "./queries";
export { adopt, listSightings, release } from "./sightings";
