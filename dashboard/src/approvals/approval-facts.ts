import type { Approval } from './approval-words.ts';

/** What an approver is shown under a code; undefined where it is not shown. */
export const shownIn = ({ shown }: Pick<Approval, 'shown'>, field: string): string | undefined =>
  shown.find((line) => line.field === field)?.value;

/** Who is paid where, or how much a list has in it: what people look at before they decide, as short lines. */
export function factsOf(approval: Approval): string[] {
  const of = (field: string) => shownIn(approval, field);
  switch (approval.kind) {
    case 'PAYOUT':
    case 'SCHEDULE':
    case 'BENEFICIARY': {
      const day = of('scheduledFor');
      return [
        // The title has the name.
        joined(of('bankName'), of('accountNumber')),
        joined(of('narration')),
        ...(day === undefined ? [] : [`Paid on ${day}`]),
      ].filter((line) => line !== '');
    }
    case 'BATCH':
      return [
        joined(of('fileName')),
        joined(
          of('payouts') === undefined ? undefined : `${of('payouts')} payouts`,
          of('largestPayout') === undefined ? undefined : `the largest ${of('largestPayout')}`,
          of('namesDiffer') === undefined ? undefined : `${of('namesDiffer')} names differ from the bank’s`,
          of('duplicates') === undefined ? undefined : `repeated: ${of('duplicates')}`,
        ),
      ].filter((line) => line !== '');
    case 'REFUND':
      return [joined(of('note')), joined(of('way'))].filter((line) => line !== '');
    default:
      return [];
  }
}

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(', ');
