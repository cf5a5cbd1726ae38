export { type KeyKind, makeApiKey, parseApiKey } from './api-key.ts';
export { type ApiRouteDeps, answerCommand, answerQuestion, guardRoutes } from './api-route.ts';
export { type Authenticator, createAuthenticator } from './authenticate.ts';
export { baseUrlOf, hindranceOf, requireScope, requireService, type Visitor, visitorOf } from './authorize.ts';
export { mustBeOperator, sessionExpired, supportViewEnded } from './errors.ts';
export { type IssuedKey, issueApiKey, type KeyMaker, type NewApiKey, revokeApiKey } from './issue-api-key.ts';
export { modeInWords } from './key-notice.ts';
export { keyRoutes } from './key-routes.ts';
export { KeySchema } from './key-schemas.ts';
export {
  type ApiKeySummary,
  countKeysWithoutMaker,
  KEY_ROTATION_DUE_MS,
  keyView,
  listApiKeys,
  listKeysOfMaker,
  revokeKeysOfMaker,
} from './list-api-keys.ts';
export {
  guardOperatorRoutes,
  guardSessionRoutes,
  requireFullSession,
  type SessionRouteDeps,
} from './operator-route.ts';
export { createPinGuard, hasPin, isTrivialPin, type PinGuard, storePin } from './pin.ts';
export { slowHash, slowHashMatches } from './pin-hash.ts';
export { countAccessPeppers, forgetAccessUnder, rehashPins } from './pin-peppers.ts';
export { pinRoutes } from './pin-routes.ts';
export { type Member, nameOfCaller, type Principal, pinState } from './principal.ts';
export {
  PERMISSIONS,
  type Permission,
  permissionsOfRole,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
  SUPPORT_PERMISSIONS,
  SUPPORT_SCOPES,
  scopesOfRole,
} from './roles.ts';
export { rotateApiKey } from './rotate-api-key.ts';
export {
  type Access,
  factsOf,
  type OperatorAccess,
  type OperatorOfRequest,
  type RouteFacts,
  type SessionAccess,
} from './route-access.ts';
export { tokenRoutes } from './routes.ts';
export { nameOfPerson, type PersonKind, type Sessions, type SignedIn, type SignedInMerchant } from './session.ts';
export { clearSessionCookie, cookieOf, requireOwnPage, sessionSecretOf, setSessionCookie } from './session-cookie.ts';
export {
  refuseSupportWrites,
  type SupportView,
  type SupportViews,
  supportViewTokenOf,
} from './support-view.ts';
export { issueToken } from './token.ts';
