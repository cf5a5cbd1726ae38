import type { ThresholdRow } from '../compliance/index.ts';
import { toNumber } from '../money/index.ts';

export const thresholdsView = (rows: readonly ThresholdRow[]) => ({
  records: rows.map(({ individual_minor, corporate_minor, effective_from, source }) => ({
    individual: toNumber(individual_minor),
    corporate: toNumber(corporate_minor),
    effectiveFrom: effective_from.toISOString(),
    source,
  })),
});
