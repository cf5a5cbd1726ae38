export { checkSession, openDueSessions } from './ask-provider.ts';
export { findSessionIdByReference, linkSubject, type ReadSession } from './change-session.ts';
export { chooseProvider, createWalletProviders, mayTakeCards, type SessionChannel } from './choose-provider.ts';
export { allowOrigin, preflightRoutes, showRefusal } from './cross-origin-routes.ts';
export type { SessionDeps } from './deps.ts';
export { expireSessions, sessionAdvanceWrites } from './end-session.ts';
export { sessionNotFound, sessionsTooMany } from './errors.ts';
export type { OpeningGuard } from './keep-session.ts';
export { openSession } from './open-session.ts';
export { type AmountRule, DUE_EXPIRIES, DUE_OPENINGS } from './queries.ts';
export {
  checkoutPathOf,
  requireSession,
  requireTenantOfSecret,
  SANDBOX_PAGE,
  sandboxPagePathOf,
} from './read-sessions.ts';
export { paymentSessionRoutes } from './routes.ts';
export { Address, AmountRuleSchema, ChannelSchema, DEFAULT_MINUTES, paymentSessionEvents } from './schemas.ts';
export { isConclusive, paymentSessionStates, type SessionStatus } from './session-state.ts';
export { readSettings, requireAddress } from './settings.ts';
export { collectionSettingsRoutes } from './settings-routes.ts';
export { createSessionHook, wasPaidInTime, whatIsAway } from './take-payment.ts';
export { etagOf, outstandingOf, type PublicSessionView, publicSessionView } from './views.ts';
