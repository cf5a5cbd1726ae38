export { decideOnboarding } from './decide-onboarding.ts';
export { documentLinks } from './document-links.ts';
export { type LiveReadiness, type ReadinessDeps, readLiveReadiness } from './live-readiness.ts';
export { type OnboardingRoutesDeps, onboardingRoutes } from './routes.ts';
export { openMerchant } from './save-step.ts';
export { OnboardingSchema } from './schemas.ts';
export { readDocument } from './store-document.ts';
export { type OnboardingView, readOnboarding } from './views.ts';
export { listWaitingMerchants, type WaitingMerchant } from './waiting-merchants.ts';
