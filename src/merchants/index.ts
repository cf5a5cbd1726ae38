export { changeMerchantDetails, type MerchantDetails, noteMerchantReview } from './change-details.ts';
export { approveMerchant, changeMerchantStatus } from './change-merchant-status.ts';
export { createMerchant, type NewMerchant } from './create-merchant.ts';
export { disableService, enableService } from './enable-service.ts';
export {
  listMerchantServices,
  listMerchantStatusChanges,
  listMerchants,
  lockMerchant,
  requireMerchant,
} from './find-merchant.ts';
export { DEMO_ACTOR, hasLiveMerchant } from './has-live-merchant.ts';
export { makerCheckerWrite } from './maker-checker.ts';
export type { MerchantAction, MerchantStatus, ReviewStatus } from './merchant-state.ts';
export { internationalNumber, TypedPhoneNumber } from './phone-number.ts';
export type { MerchantRow, MerchantSummaryRow, ServiceRow, StatusChangeRow } from './queries.ts';
export type { RegisteredRow } from './register/queries.ts';
export {
  countSubmitted,
  type RegisterSearch,
  readMerchantNames,
  readRegister,
  readServiceStates,
} from './register/read-register.ts';
export { MerchantChangesSchema, MerchantSchema, type MerchantView, type MerchantWalletView } from './schemas.ts';
export { bvnColumns } from './seal-bvn.ts';
export { isServiceKey, SERVICE_KEYS, type ServiceKey } from './services.ts';
export { type MerchantChanges, merchantChangesWrite, withChanges } from './update-merchant.ts';
export { merchantView } from './views.ts';
