export {
  approveMerchant,
  changeMerchantDetails,
  changeMerchantStatus,
  disableService,
  enableService,
  type MerchantDetails,
  noteMerchantReview,
} from './change-merchant.ts';
export { bvnColumns, createMerchant, type NewMerchant, openBvn } from './create-merchant.ts';
export {
  DEMO_ACTOR,
  hasLiveMerchant,
  listMerchantServices,
  listMerchantStatusChanges,
  listMerchants,
  lockMerchant,
  requireDecidedFacts,
  requireMerchant,
} from './find-merchant.ts';
export { makerCheckerWrite } from './maker-checker.ts';
export type { DecidedFacts, MerchantRow, MerchantSummaryRow, ServiceRow, StatusChangeRow } from './queries.ts';
export {
  countSubmitted,
  findMerchantChoices,
  type RegisterSearch,
  readMerchantChoices,
  readMerchantNames,
  readRegister,
  readServiceStates,
} from './read-register.ts';
export type { RegisteredRow } from './register-queries.ts';
export {
  CONTACT_EMAIL_PATTERN,
  MerchantChangesSchema,
  MerchantSchema,
  type MerchantView,
  type MerchantWalletView,
} from './schemas.ts';
export {
  isApproved,
  isServiceKey,
  type MerchantAction,
  type MerchantStatus,
  type ReviewStatus,
  SERVICE_KEYS,
  type ServiceKey,
} from './services.ts';
export {
  internationalNumber,
  type MerchantChanges,
  merchantChangesWrite,
  TypedPhoneNumber,
  withChanges,
} from './update-merchant.ts';
export { merchantView } from './views.ts';
