export { AccountMenu } from "./account-menu";
export { AccountSettings } from "./account-settings";
export { meQuery } from "./api";
export { InvitationView } from "./invitation-view";
export { NewPasswordView } from "./new-password-view";
export { PeopleSettings } from "./people-settings";
export { SessionWatch } from "./session-watch";
export { SignInView } from "./sign-in-view";
