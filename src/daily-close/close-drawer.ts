import type { CloseFigures } from './close-figures.ts';
import type { DailyCloseRow } from './queries.ts';

/**
 * The close as a PDF. The code that draws it is loaded with the first one: it takes more than 30 MB, and most processes
 * never draw any.
 */
export async function drawClose(close: DailyCloseRow, figures: CloseFigures): Promise<Buffer> {
  const { drawClose: draw } = await import('./draw-close.ts');
  return draw(close, figures);
}
