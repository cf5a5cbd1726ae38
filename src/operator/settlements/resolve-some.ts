import { countOpenLinesOf, type LineResolution, type LineResult, resolveLines } from '../../reconciliation/index.ts';
import type { OperatorDeps } from '../deps.ts';

/** One request resolves at most so many lines, so that it is answered in time. */
const MAX_LINES = 500;
/** Refusals that are told; more say no more. */
const MAX_TOLD = 100;

export interface ResolvedSome {
  resolved: number;
  refused: { lineId: string; code: string; message: string }[];
  /** Still open with this result. */
  left: number;
}

/** Resolves the open lines of an import that have one result, up to a number that one request can take. */
export async function resolveSome(
  deps: OperatorDeps,
  result: LineResult,
  resolution: Omit<LineResolution, 'lineId'>,
): Promise<ResolvedSome> {
  const refused: ResolvedSome['refused'] = [];
  let resolved = 0;
  let seen = 0;
  for await (const line of resolveLines(deps, result, resolution)) {
    seen += 1;
    if (line.refused === undefined) resolved += 1;
    else if (refused.length < MAX_TOLD) {
      refused.push({ lineId: line.lineId, code: line.refused.code, message: line.refused.message });
    }
    if (seen === MAX_LINES) break;
  }
  return { resolved, refused, left: await countOpenLinesOf(deps.database, resolution.importId, result) };
}
