import type { SecurityNotice } from '../mail/index.ts';
import { lagosClock } from '../platform/clock.ts';
import type { Mode } from '../platform/tenant.ts';
import type { ApiKeyRow } from './queries.ts';

export const modeInWords = (mode: Mode) => (mode === 'LIVE' ? 'live mode' : 'the sandbox');

/** The notice to the owners about a key that was made. @param by who made it, as a sentence begins with it. */
export function keyNotice(key: ApiKeyRow, by: string): (businessName: string) => SecurityNotice {
  const { kind, mode, name, prefix, last_four, allowed_ips, created_at } = key;
  const from = allowed_ips.length === 0 ? 'from anywhere' : `from ${allowed_ips.join(', ')}`;
  return (businessName) => ({
    subject: `A new API key for ${businessName}`,
    paragraphs: [
      `${by} made a new ${kind.toLowerCase()} key of ${businessName} for ${modeInWords(mode)} on ${lagosClock(created_at)} Lagos time: ` +
        `${name === '' ? 'without a name' : `"${name}"`}, ${prefix}\u2026${last_four}. It may be used ${from}.`,
      'If nobody of your business was to make it, revoke it under "API keys" and look in the audit log who did.',
    ],
  });
}

/** The notice to the owners about a new PIN of one mode. */
export function pinNotice(at: Date, by: string, mode: Mode): (businessName: string) => SecurityNotice {
  return (businessName) => ({
    subject: `A new PIN for ${businessName}`,
    paragraphs: [
      `${by} set a new PIN of ${businessName} for ${modeInWords(mode)} on ${lagosClock(at)} Lagos time. ` +
        'The one before counts no more.',
      'If nobody of your business was to set it, set another under "Settings, PIN", and tell the operator.',
    ],
  });
}
