export { decideOnboarding } from './decide-onboarding.ts';
export { documentLinks } from './document-routes.ts';
export {
  type LiveReadiness,
  listWaitingMerchants,
  type ReadinessDeps,
  readLiveReadiness,
  type WaitingMerchant,
} from './live-readiness.ts';
export { NAME_PARTIES, NAME_VERDICTS, nameFlagsOf } from './name-flags.ts';
export { readGivenAccount } from './review-state.ts';
export { onboardingRoutes } from './routes.ts';
export { openMerchant } from './save-step.ts';
export { OnboardingSchema } from './schemas.ts';
export { readDocument } from './store-document.ts';
export { readOnboarding } from './views.ts';
