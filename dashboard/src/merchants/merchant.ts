import type { Data } from '../api/types.ts';

/** A merchant as the operator sees it. */
export type Merchant = Data<'get', '/operator/merchant/{merchantId}'>;
export type MerchantDocument = Merchant['onboarding']['documents'][number];
export type RailChoice = Merchant['rails'][number];
