export { inviteFirstOwner } from "./first-owner";
export { invite, listInvitations, readOffer, withdrawInvitation } from "./invitations";
export { joinAsKnown, joinAsNew, joinBy } from "./join";
export { changeRole, listMembers, removeMember } from "./members";
export {
  changePassword,
  endSession,
  endSessions,
  listSessions,
  readPassword,
  readPerson,
} from "./person";
export { chooseProject, listProjects, makeProject } from "./projects";
export { allowOwnReset, allowReset, readReset, resetPassword } from "./resets";
