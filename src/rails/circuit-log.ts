import { boundedLines } from '../platform/bounded-lines.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { Mode } from '../platform/tenant.ts';
import type { CircuitChange } from './call-pool.ts';

/** @param merchantId whose circuit it is, where the rail keeps merchants apart. */
export type OnCircuit = (change: CircuitChange, merchantId?: string) => void;

/**
 * Writes a line where a circuit of a rail opens, and one where it closes. In sandbox mode it is no error: scenarios that a
 * merchant chooses leave calls without an answer.
 */
export function logCircuit(
  { logger, clock }: { logger: Logger; clock: Clock },
  { name, mode }: { name: string; mode: Mode },
): OnCircuit {
  const mayLog = boundedLines(() => clock.now().getTime());
  return ({ circuit, ...more }, merchantId) => {
    const leftOut = mayLog();
    if (leftOut === undefined) return;
    const about = {
      rail: name,
      mode,
      ...(merchantId !== undefined && { merchantId }),
      ...more,
      ...(leftOut > 0 && { leftOut }),
    };
    if (circuit === 'closed') logger.warn(about, 'a rail is called again');
    else if (mode === 'LIVE') logger.error(about, 'a rail is not called for now, because it did not answer');
    else logger.warn(about, 'a rail is not called for now, because it did not answer');
  };
}
