/** What a stand-in of a provider settled, however it writes it. Amounts in kobo. */
export interface SettlementRow {
  id: string;
  status: 'paid' | 'open' | 'failed' | 'unlisted';
  at: Date;
  payments: readonly { id: string; grossMinor: bigint; feeMinor: bigint }[];
  refunds: readonly { id: string; amountMinor: bigint }[];
  chargebacks: readonly { id: string; amountMinor: bigint }[];
  /** Taken without a word what for. */
  otherMinor: bigint;
  /** Nobody can read its sum, or the amount of each of its payments. */
  unreadable: 'sum' | 'payments' | undefined;
}

export interface SettlementBooks {
  rows: SettlementRow[];
  /** Entries on one page, of settlements and of lines. */
  pageSize: number;
  add(given: Partial<SettlementRow>): SettlementRow;
}

export function createSettlementBooks(firstId: number, nameOf: (id: number) => string = String): SettlementBooks {
  const rows: SettlementRow[] = [];
  return {
    rows,
    pageSize: 3,
    add(given) {
      const row: SettlementRow = {
        id: nameOf(firstId + rows.length),
        status: 'paid',
        at: new Date(),
        payments: [{ id: `p${firstId}-${rows.length}`, grossMinor: 100_00n, feeMinor: 1_50n }],
        refunds: [],
        chargebacks: [],
        otherMinor: 0n,
        unreadable: undefined,
        ...given,
      };
      rows.push(row);
      return row;
    },
  };
}

export const grossOf = ({ payments }: SettlementRow): bigint =>
  payments.reduce((sum, { grossMinor }) => sum + grossMinor, 0n);
export const feesOf = ({ payments }: SettlementRow): bigint =>
  payments.reduce((sum, { feeMinor }) => sum + feeMinor, 0n);
export const takenOf = (rows: SettlementRow['refunds']): bigint =>
  rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
export const lumpOf = (row: SettlementRow): bigint =>
  grossOf(row) - feesOf(row) - takenOf(row.refunds) - takenOf(row.chargebacks) - row.otherMinor;

export const pageOf = <Row>(rows: readonly Row[], page: number, size: number): Row[] =>
  rows.slice((page - 1) * size, page * size);
