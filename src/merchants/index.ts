export {
  approveMerchant,
  changeMerchantDetails,
  changeMerchantStatus,
  disableService,
  disableServices,
  enableService,
  enableServices,
  type MerchantChanges,
  type MerchantDetails,
  makerCheckerWrite,
  merchantChangesWrite,
  noteMerchantReview,
  setContactsShared,
  setRefundsEnabled,
  withChanges,
} from './change-merchant.ts';
export { bvnColumns, createMerchant, type NewMerchant, openBvn } from './create-merchant.ts';
export {
  countSubmitted,
  createIsSuspended,
  DEMO_ACTOR,
  findMerchantChoices,
  hasLiveMerchant,
  listMerchantServices,
  listMerchantStatusChanges,
  listMerchants,
  lockMerchant,
  type ReviewedAccount,
  readMerchantChoices,
  readMerchantNames,
  readRegister,
  readReviewedAccount,
  readServiceStates,
  requireDecidedFacts,
  requireMerchant,
} from './find-merchant.ts';
export { internationalNumber, TypedPhoneNumber } from './phone-number.ts';
export type { DecidedFacts, MerchantRow, StatusChangeRow } from './queries.ts';
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
export { merchantView } from './views.ts';
