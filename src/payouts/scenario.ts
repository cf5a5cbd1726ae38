import { invalidField } from '../platform/errors.ts';
import type { Mode } from '../platform/tenant.ts';
import { isSandboxScenario } from '../rails/index.ts';

export const SCENARIO_HEADER = 'x-sandbox-scenario';

/**
 * The scenario that a request names, in sandbox mode; live requests have none, whatever they send.
 * @throws AppError `VALIDATION_FAILED` for a name that is no scenario, so that a typing error does not pass as success.
 */
export function scenarioOf(mode: Mode, header: string | string[] | undefined): string | null {
  if (mode !== 'SANDBOX' || header === undefined) return null;
  if (typeof header !== 'string' || !isSandboxScenario(header)) {
    throw invalidField('X-Sandbox-Scenario', 'is not a scenario of the sandbox rail.');
  }
  return header;
}
