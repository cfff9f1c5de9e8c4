export {
  type Attempt,
  type AttemptKind,
  attemptMinutes,
  beginAttempt,
  staleSignIn,
  takeAttempt,
} from "./attempts";
export { comeByService } from "./come";
export { freshMinutes, isFresh } from "./is-fresh";
export {
  addPasskey,
  comeByPasskey,
  newPasskeyOptions,
  passkeyOptions,
  type RelyingParty,
  relyingParty,
} from "./passkeys";
export { readServiceAnswer, type SignInService, serviceAddress } from "./service";
export { linkIdentity, listWays, removeWay } from "./ways";
