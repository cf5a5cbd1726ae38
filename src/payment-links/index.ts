export { slugOf } from './link.ts';
export { createOpeningLimits, openLinkSession, type PayersLink, readPayersLink } from './open-link-session.ts';
export { type PayerField, paymentLinkStates } from './queries.ts';
export { paymentLinkRoutes } from './routes.ts';
export { paymentLinkEvents } from './schemas.ts';
