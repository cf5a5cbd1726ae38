import type { Clock } from '../../src/platform/clock.ts';
import {
  createRailCaller,
  type Rail,
  type RailCaller,
  type RailLimits,
  type SendRequest,
} from '../../src/rails/index.ts';
import { scenarioFor } from '../../src/rails/sandbox/scenarios.ts';

export interface Hurry {
  /** Whether this send is meant to get no answer. */
  isUnanswered: (request: SendRequest) => boolean;
  /** How long such a send is waited for. Everything else has all the time that a busy machine takes. */
  abandonAfterMs: number;
  limits?: Partial<RailLimits>;
  clock?: Clock;
}

/** A rail's caller for tests: it soon abandons a send that is meant to get no answer, and no other. */
export function createHurriedCaller(rail: Rail, { isUnanswered, abandonAfterMs, limits, clock }: Hurry): RailCaller {
  const patient = createRailCaller(rail, { limits: { ...limits }, ...(clock && { clock }) });
  const hurried = createRailCaller(rail, {
    limits: { ...limits, sendTimeoutMs: abandonAfterMs },
    ...(clock && { clock }),
  });
  return {
    ...patient,
    send: (request, ...rest) => (isUnanswered(request) ? hurried : patient).send(request, ...rest),
  };
}

/** Whether the sandbox does not answer this send, or not for seconds. */
export function sandboxGivesNoAnswer({ accountNumber, scenario }: SendRequest): boolean {
  const { sending } = scenarioFor(accountNumber, scenario);
  return sending === 'hang' || sending === 'slow';
}
