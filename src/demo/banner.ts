import { join } from 'node:path';
import type { DemoFile } from './demo-file.ts';

/** What the terminal shows when the service is up: where it is, and a line to paste that moves money. */
export function banner(baseUrl: string, demo: DemoFile | undefined, dataDir: string): string {
  const lines = [
    '',
    `  Manilla is up at ${baseUrl}`,
    `  Dashboard:      ${baseUrl}/dashboard/`,
    `  API reference:  ${baseUrl}/docs`,
  ];
  if (demo !== undefined) {
    const body = JSON.stringify({ pin: demo.pin, amount: 1500.5, storeId: demo.storeIds[0], narration: 'First sweep' });
    lines.push(
      `  Demo sign-ins:  ${join(dataDir, 'demo.json')}`,
      '',
      '  Move ₦1,500.50 from a demo store to the merchant wallet:',
      '',
      `curl -X POST ${baseUrl}/branch/store/debit -H 'Authorization: Bearer ${demo.secretKey}' -H 'Content-Type: application/json' -d '${body}'`,
    );
  }
  return `${lines.join('\n')}\n`;
}
