export { type KeyKind, makeApiKey, parseApiKey } from './api-key.ts';
export { type ApiRouteDeps, answerCommand, answerQuestion, guardRoutes } from './api-route.ts';
export { type Authenticator, createAuthenticator } from './authenticate.ts';
export { baseUrlOf, hindranceOf, requireScope, requireService, type Visitor, visitorOf } from './authorize.ts';
export { mustBeOperator, sessionExpired, supportViewEnded } from './errors.ts';
export { issueApiKey, type KeyMaker, type NewApiKey, revokeApiKey } from './issue-api-key.ts';
export { modeInWords } from './key-notice.ts';
export {
  type ApiKeySummary,
  countKeysWithoutMaker,
  KEY_ROTATION_DUE_MS,
  keyView,
  listApiKeys,
  listKeysOfMaker,
  revokeKeysOfMaker,
} from './list-api-keys.ts';
export { rotateApiKey } from './make-key.ts';
export {
  guardOperatorRoutes,
  guardSessionRoutes,
  requireFullSession,
} from './operator-route.ts';
export {
  countAccessPeppers,
  createPinGuard,
  forgetAccessUnder,
  hasPin,
  isTrivialPin,
  type PinGuard,
  rehashPins,
  storePin,
} from './pin.ts';
export { slowHash, slowHashMatches } from './pin-hash.ts';
export { type Member, nameOfCaller, type Principal, pinState } from './principal.ts';
export {
  EVERY_SCOPE,
  grantedScopes,
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
export {
  collectDisclosures,
  factsOf,
  type RouteFacts,
} from './route-access.ts';
export { keyRoutes, pinRoutes, tokenRoutes } from './routes.ts';
export { KeySchema } from './schemas.ts';
export {
  clearSessionCookie,
  cookieOf,
  nameOfPerson,
  type PersonKind,
  requireOwnPage,
  type Sessions,
  type SignedIn,
  type SignedInMerchant,
  sessionSecretOf,
  setSessionCookie,
} from './session.ts';
export {
  refuseSupportWrites,
  type SupportView,
  type SupportViews,
  supportViewTokenOf,
} from './support-view.ts';
export { issueToken } from './token.ts';
