export { CHECKS_IN_ALL } from './checks.ts';
export { type ReportOutput, runVerify, type VerifyDeps, verifyAll, verifyBooks } from './prove.ts';
export { areBooksWrong, type CheckResult, formatReport, type VerifyReport } from './report.ts';
