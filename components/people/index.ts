export { AccountMenu } from "./account-menu";
export { AccountSettings } from "./account-settings";
export { InvitationView } from "./invitation-view";
export { NewPasswordView } from "./new-password-view";
export { PeopleSettings } from "./people-settings";
export { SessionWatch } from "./session-watch";
export { SignInReturnView } from "./sign-in-return-view";
export { SignInView } from "./sign-in-view";
