export { createRailCaller, type RailCaller, type RailLimits } from './call-rail.ts';
export { FlutterwaveCredentials, flutterwaveMode } from './flutterwave/credentials.ts';
export { createFlutterwaveRail } from './flutterwave/flutterwave-rail.ts';
export { MonnifyCredentials, monnifyMode } from './monnify/credentials.ts';
export { createMonnifyRail } from './monnify/monnify-rail.ts';
export { NIP_CODES, type NipCode, type NipStage, type Reading, readNipCode } from './nip-codes.ts';
export {
  createPaystackRail,
  PaystackCredentials,
  type PaystackRailDeps,
  paystackMode,
} from './paystack/paystack-rail.ts';
export type {
  NameEnquiryAnswer,
  NameEnquiryRequest,
  ProviderWebhook,
  ProviderWebhookRequest,
  QueryRequest,
  Rail,
  RailAnswer,
  RailBalance,
  RailOutcome,
  SendAnswer,
  SendRequest,
} from './port.ts';
export { NotSentError } from './port.ts';
export {
  type BeneficiaryAccount,
  differencesOf,
  NOTHING_REPORTED,
  type ReportedFacts,
  type SentTransfer,
  type TransferFact,
  UNREADABLE,
} from './reported.ts';
export { sandboxRailAdvanceWrites } from './sandbox/advance-writes.ts';
export {
  createSandboxRail,
  type SandboxRail,
  type SandboxRailDeps,
  type SandboxTransfer,
} from './sandbox/sandbox-rail.ts';
export { isSandboxScenario, SANDBOX_SCENARIOS, type SandboxScenario } from './sandbox/scenarios.ts';
export { createUnopenedRail, RAIL_UNAVAILABLE } from './unopened-rail.ts';
