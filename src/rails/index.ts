export { createRailCaller, type RailCaller, type RailLimits } from './call-rail.ts';
export { NIP_CODES, type NipCode, type NipStage, type Reading, readNipCode } from './nip-codes.ts';
export type {
  BeneficiaryAccount,
  NameEnquiryAnswer,
  NameEnquiryRequest,
  NoticeRequest,
  QueryRequest,
  Rail,
  RailAnswer,
  RailBalance,
  RailNotice,
  RailOutcome,
  SendAnswer,
  SendRequest,
} from './port.ts';
export {
  createSandboxRail,
  type SandboxRail,
  type SandboxRailDeps,
  type SandboxTransfer,
} from './sandbox/sandbox-rail.ts';
export { isSandboxScenario, SANDBOX_SCENARIOS, type SandboxScenario } from './sandbox/scenarios.ts';
