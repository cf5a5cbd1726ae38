import { AppError } from '../platform/errors.ts';
import type { ReconciliationDeps } from './deps.ts';
import { readLines } from './read-settlements.ts';
import { type LineResolution, resolveLine } from './resolve-line.ts';
import type { LineResult } from './settlement-kinds.ts';

/** What became of one line of many. */
export type ResolvedLine = { lineId: string; lineNumber: number | null; refused: AppError | undefined };

/**
 * Resolves every open line of an import with one result, each on its own: one that cannot be resolved so is told, and the
 * others are. Whoever stops taking stops it.
 * @throws AppError as `resolveLine` where it refuses all of them alike: 400 for a note that is missing.
 */
export async function* resolveLines(
  deps: ReconciliationDeps,
  result: LineResult,
  resolution: Omit<LineResolution, 'lineId'>,
): AsyncGenerator<ResolvedLine> {
  for await (const line of readLines(deps.database, resolution.importId, result)) {
    if (line.resolved_at !== null) continue;
    const told = { lineId: line.id, lineNumber: line.line_number };
    try {
      await resolveLine(deps, { ...resolution, lineId: line.id });
      yield { ...told, refused: undefined };
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === 'invalid') throw error;
      yield { ...told, refused: error };
    }
  }
}
