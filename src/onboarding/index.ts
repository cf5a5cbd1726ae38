export { decideOnboarding } from './decide-onboarding.ts';
export { documentLinks } from './document-links.ts';
export { documentAnswers, sendDocument } from './document-routes.ts';
export { openMerchant } from './open-merchant.ts';
export { readOnboarding } from './read-onboarding.ts';
export { type OnboardingRoutesDeps, onboardingRoutes } from './routes.ts';
export { OnboardingSchema } from './schemas.ts';
export { readDocument } from './store-document.ts';
export type { OnboardingView } from './views.ts';
