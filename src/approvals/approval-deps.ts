import { tenantOf } from '../platform/tenant.ts';
import { rulesCommitted } from './change-rules.ts';
import type { ApprovalDeps } from './decide-approval.ts';
import { rulesSubject } from './rules-subject.ts';
import type { ApprovalSubjects } from './subject.ts';

/** What approvals stand on, with the subjects of the modules above and the one of this module, its own rules. */
export function approvalDeps(
  deps: Omit<ApprovalDeps, 'subjects'>,
  subjects: Omit<ApprovalSubjects, 'RULES'>,
): ApprovalDeps {
  const whole: ApprovalDeps = {
    ...deps,
    subjects: {
      ...subjects,
      RULES: rulesSubject(deps, (approval) => rulesCommitted(whole, tenantOf(approval))),
    },
  };
  return whole;
}
