export {
  CHECKS_IN_ALL,
  type CheckResult,
  formatReport,
  type ReportOutput,
  runVerify,
  type VerifyDeps,
  type VerifyReport,
  verifyAll,
  verifyBooks,
} from './prove.ts';
