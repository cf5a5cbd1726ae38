export { type KeyKind, makeApiKey, parseApiKey } from './api-key.ts';
export {
  type Access,
  type ApiRouteDeps,
  answerCommand,
  answerQuestion,
  guardRoutes,
} from './api-route.ts';
export { type Authenticator, createAuthenticator } from './authenticate.ts';
export { authenticateOperator, type Operator, requireOperator } from './authenticate-operator.ts';
export { createPerson, type NewPerson } from './create-person.ts';
export { type IssuedKey, issueApiKey, type NewApiKey } from './issue-api-key.ts';
export { type ApiKeySummary, listApiKeys } from './list-api-keys.ts';
export { createPinGuard, type PinGuard } from './pin.ts';
export type { Principal } from './principal.ts';
export { limitRate } from './rate-limit.ts';
export { revokeApiKey } from './revoke-api-key.ts';
export { rotateApiKey } from './rotate-api-key.ts';
export { tokenRoutes } from './routes.ts';
export { SCOPES, type Scope } from './scopes.ts';
export { issueToken } from './token.ts';
