import type { Movement } from '../../src/ledger/index.ts';

/** Marks and allowances as one would keep them on paper, one movement after another. */
export interface GuardModel {
  /** In a word what becomes of the movement, where its wallet can pay or cannot. */
  decide(movement: Movement, canPay: boolean): string;
  reservations(): { scope: string; value: string; subject: string; at: string }[];
  limitUsages(): { scope: string; period: string; used: bigint }[];
}

export function createGuardModel(): GuardModel {
  const reservations = new Map<string, { subject: string; at: string }>();
  const used = new Map<string, bigint>();

  function refusalOf({ id, occurredAt, reservations: asked = [], limitUsages = [] }: Movement): string | undefined {
    for (const { scope, value, subjectId = id, withinMs } of asked) {
      const noted = reservations.get(`${scope} ${value}`);
      if (noted === undefined || withinMs === null || noted.subject === subjectId) continue;
      if (Date.parse(occurredAt) - Date.parse(noted.at) < withinMs) return `SEEN ${noted.subject}`;
    }
    const wanted = new Map<string, bigint>();
    for (const { scope, period, amountMinor, limitMinor } of limitUsages) {
      const key = `${scope} ${period}`;
      const before = wanted.get(key) ?? used.get(key) ?? 0n;
      if (limitMinor !== null && amountMinor > 0n && before + amountMinor > limitMinor) {
        return `EXCEEDED ${limitMinor - before}`;
      }
      wanted.set(key, before + amountMinor > 0n ? before + amountMinor : 0n);
    }
    return undefined;
  }

  return {
    decide(movement, canPay) {
      const refusal = refusalOf(movement) ?? (canPay ? undefined : 'INSUFFICIENT_FUNDS');
      if (refusal !== undefined) return refusal;
      for (const { scope, value, subjectId } of movement.releases ?? []) {
        if (reservations.get(`${scope} ${value}`)?.subject === subjectId) reservations.delete(`${scope} ${value}`);
      }
      for (const { scope, value, subjectId = movement.id } of movement.reservations ?? []) {
        reservations.set(`${scope} ${value}`, { subject: subjectId, at: movement.occurredAt });
      }
      for (const { scope, period, amountMinor } of movement.limitUsages ?? []) {
        const after = (used.get(`${scope} ${period}`) ?? 0n) + amountMinor;
        used.set(`${scope} ${period}`, after > 0n ? after : 0n);
      }
      return 'applied';
    },
    reservations: () =>
      Array.from(reservations, ([key, { subject, at }]) => {
        const [scope = '', value = ''] = key.split(' ');
        return { scope, value, subject, at };
      }).sort((a, b) => (a.scope + a.value < b.scope + b.value ? -1 : 1)),
    limitUsages: () =>
      Array.from(used, ([key, minor]) => {
        const [scope = '', period = ''] = key.split(' ');
        return { scope, period, used: minor };
      }).sort((a, b) => (a.scope + a.period < b.scope + b.period ? -1 : 1)),
  };
}
