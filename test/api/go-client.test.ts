import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it, vi } from 'vitest';

/** A client is generated and compiled here. */
vi.setConfig({ testTimeout: 120_000 });

/**
 * A Go client that is generated from openapi.json sends and reads amounts to the kobo. Needs Go and its module proxy;
 * where they are not, `document.test.ts` still holds the document to `format: double`.
 */
const GENERATOR = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const MINUTES = 60_000;

const CONFIG = `package: manilla
generate:
  models: true
  client: true
output: manilla/client.go
`;

/** Sends the body that it is given, and prints the amount that the answer names. */
const PROGRAM = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"probe/manilla"
)

func main() {
	client, err := manilla.NewClientWithResponses(os.Args[1])
	if err != nil {
		panic(err)
	}
	var body manilla.CreatePayoutJSONRequestBody
	if err := json.Unmarshal([]byte(os.Args[2]), &body); err != nil {
		panic(err)
	}
	answer, err := client.CreatePayoutWithResponse(context.Background(), nil, body)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f", answer.JSON200.Data.Amount)
}
`;

const folder = mkdtempSync(join(tmpdir(), 'manilla-go-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Why no client can be made here; undefined where it was made. */
function build(): string | undefined {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
  } catch {
    return 'Go is not installed here';
  }
  mkdirSync(join(folder, 'manilla'));
  cpSync(new URL('../../openapi.json', import.meta.url), join(folder, 'openapi.json'));
  writeFileSync(join(folder, 'go.mod'), 'module probe\n\ngo 1.24\n');
  writeFileSync(join(folder, 'config.yaml'), CONFIG);
  writeFileSync(join(folder, 'main.go'), PROGRAM);
  const go = (...args: string[]) => execFileSync('go', args, { cwd: folder, stdio: 'pipe', timeout: 4 * MINUTES });
  try {
    go('run', GENERATOR, '--help');
  } catch (error) {
    return `the generator cannot be had here: ${String((error as { stderr?: Buffer }).stderr)
      .split('\n')
      .at(-2)}`;
  }
  go('run', GENERATOR, '-config', 'config.yaml', 'openapi.json');
  go('mod', 'tidy');
  // What is compiled is run once.
  go('build', '-gcflags=probe/...=-N -l', '-o', 'probe', '.');
  return undefined;
}

describe('a Go client', () => {
  it(
    'generated from openapi.json sends and reads ₦1,234,567.89 as that and nothing else',
    async (context) => {
      const hindrance = build();
      if (hindrance !== undefined) {
        context.skip(hindrance);
        return;
      }
      const received: string[] = [];
      const server = createServer((request, response) => {
        let text = '';
        request.on('data', (piece) => {
          text += String(piece);
        });
        request.on('end', () => {
          received.push(text);
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ status: true, message: 'Success', data: { amount: 1_234_567.89 } }));
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const body = {
        pin: '4826',
        amount: 1_234_567.89,
        bankCode: '058',
        accountNumber: '0123456785',
        narration: 'Rent',
      };
      const { stdout } = await promisify(execFile)(join(folder, 'probe'), [url, JSON.stringify(body)]);
      server.close();
      expect(stdout).toBe('1234567.89');
      expect(received.map((text) => JSON.parse(text).amount)).toEqual([1_234_567.89]);
    },
    10 * MINUTES,
  );
});
