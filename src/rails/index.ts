export type { DisputeCaller } from './call-disputes.ts';
export type { RailLimits } from './call-pool.ts';
export { createRailCaller, createUnopenedRail, RAIL_UNAVAILABLE, type RailCaller } from './call-rail.ts';
export type { RefundCaller } from './call-refunds.ts';
export type { SettlementCaller } from './call-settlements.ts';
export type { WalletCaller } from './call-wallets.ts';
export { logCircuit } from './circuit-log.ts';
export type {
  DisputeCapabilities,
  DisputeCategory,
  DisputeEvidence,
  DisputeHint,
  DisputeState,
  EvidenceFile,
  ReportedDispute,
  RespondAnswer,
  UnlistedDispute,
} from './disputes.ts';
export { createFlutterwaveRail, FlutterwaveCredentials, flutterwaveMode } from './flutterwave/flutterwave-rail.ts';
export { createMonnifyRail } from './monnify/monnify-rail.ts';
export { MonnifyCredentials, monnifyMode } from './monnify/session.ts';
export { NIP_CODES, readNipCode } from './nip-codes.ts';
export {
  createPaystackRail,
  PaystackCredentials,
  paystackMode,
} from './paystack/paystack-rail.ts';
export {
  NotSentError,
  type ProviderWebhook,
  type ProviderWebhookRequest,
  type Rail,
  type RailAnswer,
  type RailBalance,
  type RailOutcome,
  type SendAnswer,
  type SendRequest,
} from './port.ts';
export type {
  RefundAnswer,
  RefundOrder,
  RefundOutcome,
  ReportedRefund,
  SentRefundAnswer,
} from './refunds.ts';
export {
  type BeneficiaryAccount,
  differencesOf,
  NOTHING_REPORTED,
  type ReportedFacts,
  type SentTransfer,
  type TransferFact,
  UNREADABLE,
} from './reported.ts';
export { type SandboxPayment, sandboxCredits } from './sandbox/credits.ts';
export { SANDBOX_WEBHOOKS } from './sandbox/deliver-webhooks.ts';
export {
  DISPUTE_SCENARIO_NAMES,
  type SandboxDispute,
  sandboxDispute,
} from './sandbox/disputes.ts';
export {
  PAYER_SCENARIO_NAMES,
  PAYER_SCENARIOS,
  type PayerScenarioName,
} from './sandbox/payer-scenarios.ts';
export type { CreditRow as SandboxCreditRow } from './sandbox/queries.ts';
export { isRefundScenario, REFUND_SCENARIOS } from './sandbox/refund-scenarios.ts';
export {
  createSandboxRail,
  type SandboxRail,
  type SandboxRailDeps,
  type SandboxTransfer,
  sandboxRailAdvanceWrites,
} from './sandbox/sandbox-rail.ts';
export { isSandboxScenario, SANDBOX_SCENARIOS } from './sandbox/scenarios.ts';
export type { SandboxSettlementRow } from './sandbox/settlement-queries.ts';
export {
  linesOfSandbox,
  SETTLEMENT_SCENARIO_NAMES,
  type SettlementScenarioName,
  sandboxSettlement,
} from './sandbox/settlements.ts';
export type { ReportedSettlement, SettlementLine, SettlementLinePage } from './settlements.ts';
export { isOurReference } from './wallet-answers.ts';
export type {
  AccountHolder,
  ConfirmedCredit,
  CreditAnswer,
  CreditHint,
  CreditKey,
  OpenAccountAnswer,
  OpenedOneTime,
  OpenOneTimeAnswer,
  OpenOneTimeRequest,
  OpenPageAnswer,
  ReceivingAccount,
  WalletCapabilities,
} from './wallet-provider.ts';
export {
  PAYMENT_CHANNELS,
  type PaymentChannel,
} from './wallet-provider.ts';
