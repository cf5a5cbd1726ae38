import { join } from 'node:path';
import type { DemoFile } from './demo-file.ts';

/**
 * What a start says when the service is up. A person at a terminal also gets a line to paste that moves money; anywhere
 * else standard output ends in a log that is kept and read by others, so it holds no key and no PIN.
 */
export function banner(
  { baseUrl, dataDir, isTerminal }: { baseUrl: string; dataDir: string; isTerminal: boolean },
  demo: DemoFile | undefined,
): string {
  const lines = [
    '',
    `  Manilla is up at ${baseUrl}`,
    `  Dashboard:      ${baseUrl}/dashboard/`,
    `  API reference:  ${baseUrl}/docs`,
  ];
  if (demo !== undefined) lines.push(`  Demo sign-ins:  ${join(dataDir, 'demo.json')} (with the key and the PIN)`);
  if (demo !== undefined && isTerminal) {
    const body = JSON.stringify({ pin: demo.pin, amount: 1500.5, storeId: demo.storeIds[0], narration: 'First sweep' });
    lines.push(
      '',
      '  Move ₦1,500.50 from a demo store to the merchant wallet:',
      '',
      `curl -X POST ${baseUrl}/branch/store/debit -H 'Authorization: Bearer ${demo.secretKey}' -H 'Content-Type: application/json' -d '${body}'`,
    );
  }
  return `${lines.join('\n')}\n`;
}
