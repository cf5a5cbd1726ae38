import type { Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { Mode } from '../platform/tenant.ts';
import { type CloseFigures, computeClose, lastOver } from './close-figures.ts';
import { closeList, type DailyCloseRow, listClosesOfDay } from './queries.ts';
import type { CloseDeps } from './sign-close.ts';

/** All closes, of one mode or of both, reopened ones too, the last day first. */
export const readCloses = (
  queries: Queries,
  mode: Mode | undefined,
  request: ListRequest,
): Promise<FoundList<DailyCloseRow>> => readList(queries, closeList(mode), request);

export interface ShownDay {
  figures: CloseFigures;
  /** What somebody signs. */
  digest: string;
  /** The close that counts; undefined where nobody has signed the day, or it was reopened. */
  close: DailyCloseRow | undefined;
  /** All versions, the last one first. */
  versions: DailyCloseRow[];
}

/**
 * A day as it was signed, or as it would be.
 * @throws AppError 409 `CLOSE_DAY_NOT_OVER`.
 */
export async function readDay(deps: CloseDeps, { mode, day }: { mode: Mode; day: string }): Promise<ShownDay> {
  const versions = await deps.database.query(listClosesOfDay, [mode, day]);
  const close = versions.find(({ reopened_at: reopenedAt }) => reopenedAt === null);
  if (close !== undefined) return { figures: signedFigures(close), digest: close.figures_digest, close, versions };
  const { figures, digest } = await computeClose(deps, { mode, day });
  return { figures, digest, close, versions };
}

/** As they were signed. */
export const signedFigures = ({ figures }: Pick<DailyCloseRow, 'figures'>): CloseFigures => JSON.parse(figures);

/** The last day that can be closed now. */
export const lastDay = ({ clock }: Pick<CloseDeps, 'clock'>): string => lastOver(clock.now());
