export {
  CHECKS_IN_ALL,
  type CheckResult,
  type VerifyDeps,
  type VerifyReport,
  verifyAll,
  verifyBooks,
} from './prove.ts';
export { formatReport, type ReportOutput, runVerify } from './run-verify.ts';
