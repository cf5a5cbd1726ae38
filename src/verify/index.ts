export { formatReport } from './format-report.ts';
export {
  CHECKS_IN_ALL,
  type CheckResult,
  type VerifyDeps,
  type VerifyReport,
  verifyAll,
  verifyBooks,
} from './prove.ts';
export { type ReportOutput, runVerify } from './run-verify.ts';
