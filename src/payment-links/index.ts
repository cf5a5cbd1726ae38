export { paymentLinkEvents } from './events.ts';
export { type LinkStatus, paymentLinkStates } from './link-state.ts';
export { openLinkSession, type PayersLink, readPayersLink } from './open-link-session.ts';
export { createOpeningLimits } from './opening-limits.ts';
export type { PayerField } from './queries.ts';
export { paymentLinkRoutes } from './routes.ts';
export { slugOf } from './slug.ts';
