import type { Data } from '../api/types.ts';
import type { EvidenceEntry } from './evidence-entries.ts';

type Approval = Data<'get', '/approval/{approvalId}'>;

/** Who asked for an approval and who gave it, for the timeline of what was approved. */
export function approvalEntries(approval: Approval): EvidenceEntry[] {
  const { madeBy, needed, approvalId } = approval;
  return [
    {
      key: `approval-${approvalId}`,
      kind: 'PEOPLE',
      at: approval.madeAt,
      title: `${madeBy.name} asked for ${needed === 1 ? 'an approval' : `${needed} approvals`}`,
      facts: [{ label: 'Made', value: madeBy.via === 'API' ? 'over the API' : 'in the dashboard' }],
      tone: 'warn',
    },
    ...approval.decisions.map(
      ({ decision, by, note, at }): EvidenceEntry => ({
        key: `decision-${by.personId}-${at}`,
        kind: 'PEOPLE',
        at,
        title: `${by.name} ${decision === 'APPROVE' ? 'approved' : 'rejected'} it`,
        facts: [],
        ...(note === null ? {} : { text: note }),
        tone: decision === 'APPROVE' ? 'good' : 'bad',
      }),
    ),
  ];
}
