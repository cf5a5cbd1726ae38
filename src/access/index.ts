export { type KeyKind, makeApiKey, parseApiKey } from './api-key.ts';
export { type ApiRouteDeps, answerCommand, answerQuestion, guardRoutes } from './api-route.ts';
export { type Authenticator, createAuthenticator } from './authenticate.ts';
export { hindranceOf, requireService } from './authorize.ts';
export { countKeysWithoutMaker } from './count-keys-without-maker.ts';
export { mustBeOperator, sessionExpired } from './errors.ts';
export { type IssuedKey, issueApiKey, type KeyMaker, type NewApiKey } from './issue-api-key.ts';
export { modeInWords } from './key-notice.ts';
export { keyRoutes } from './key-routes.ts';
export { KeySchema } from './key-schemas.ts';
export { keyView } from './key-views.ts';
export { listKeysOfMaker, revokeKeysOfMaker } from './keys-of-maker.ts';
export { type ApiKeySummary, listApiKeys } from './list-api-keys.ts';
export {
  guardOperatorRoutes,
  requireWholeSession,
  type SessionRouteDeps,
} from './operator-route.ts';
export { createPinGuard, isTrivialPin, type PinGuard } from './pin.ts';
export { countAccessPeppers, forgetAccessUnder, hashPinsOver } from './pin-peppers.ts';
export { pinRoutes } from './pin-routes.ts';
export { type Member, nameOfCaller, type Principal, pinState } from './principal.ts';
export { revokeApiKey } from './revoke-api-key.ts';
export {
  PERMISSIONS,
  type Permission,
  permissionsOfRole,
  ROLES,
  type Role,
  scopesOfRole,
} from './roles.ts';
export { rotateApiKey } from './rotate-api-key.ts';
export type { Access, OperatorAccess, OperatorOfRequest, SessionAccess } from './route-access.ts';
export { factsOf, type RouteFacts } from './route-facts.ts';
export { tokenRoutes } from './routes.ts';
export { SCOPES, type Scope } from './scopes.ts';
export {
  nameOfPerson,
  type PersonKind,
  type Sessions,
  type SignedIn,
  type SignedInMerchant,
} from './session.ts';
export { clearSessionCookie, sessionSecretOf, setSessionCookie } from './session-cookie.ts';
export { guardSessionRoutes } from './session-route.ts';
export { slowHash, slowHashMatches } from './slow-hash.ts';
export { issueToken } from './token.ts';
export { baseUrlOf, type Visitor, visitorOf } from './visitor.ts';
