export { type Audited, auditRequests } from './audited-routes.ts';
export type { Disclosure, Disclosures } from './disclosure.ts';
export {
  type AuditActor,
  type AuditCategory,
  type AuditEntry,
  SUPPORT_ROLE,
  UNSEALED_CHAINS,
} from './queries.ts';
export { recordAudit } from './record-audit.ts';
export { auditRoutes } from './routes.ts';
export { OperatorAuditCsvQuery, OperatorAuditEntrySchema, OperatorAuditQuery } from './schemas.ts';
export { checkAuditLog, countSealPeppers, sealAudit } from './seal-entries.ts';
export { csvOfLog, operatorAuditView, readAudit } from './views.ts';
