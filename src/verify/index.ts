export { formatReport } from './format-report.ts';
export { type ReportOutput, runVerify } from './run-verify.ts';
export { type CheckResult, type VerifyReport, verifyBooks } from './verify-books.ts';
export { CHECKS_IN_ALL, type VerifyDeps, verifyHouse } from './verify-house.ts';
