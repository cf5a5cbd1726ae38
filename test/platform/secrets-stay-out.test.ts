import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';

/** What the terminal, a journal or a file of logs would keep. */
async function logged(script: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: process.cwd() });
  const written = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return written.slice(0, 2).join('');
}

describe('secrets in what is written', () => {
  it.each([
    ['DATABASE_URL', 'mysql://manilla:hunter2hunter2@db.internal/manilla'],
    ['SMTP_URL', 'http://manilla:hunter2hunter2@mail.example'],
    ['PIN_PEPPER', 'hunter2hunter2'],
    ['KEY_ENCRYPTION_KEY', 'hunter2hunter2'],
  ])('a wrong %s is refused without showing it', (name, value) => {
    const refusal = () => readConfig({ DEMO_DATA: 'true', [name]: value });
    expect(refusal).toThrow(`${name} must be`);
    expect(refusal).not.toThrow('hunter2');
  });

  it('a connection that breaks is logged without what was under way on it', async () => {
    const written = await logged(`
      import { createLogger } from './src/platform/logger.ts';
      const error = Object.assign(new Error('Connection terminated unexpectedly'), {
        client: { _activeQuery: { text: 'insert into people', values: ['amaka@adire.example'] } },
      });
      createLogger('info').warn({ err: error }, 'idle database connection lost');
    `);
    expect(written).toContain('Connection terminated unexpectedly');
    expect(written).not.toContain('amaka@adire.example');
  });

  it.each([
    ['a service', 'createLogger'],
    ['a command', 'createCommandLogger'],
  ])(
    'a row that the database refuses is logged by %s with its constraint and without its values',
    async (_, logger) => {
      const written = await logged(`
      import { ${logger} } from './src/platform/logger.ts';
      const values = {
        detail: 'Key (email)=(in-detail@adire.example) already exists.',
        where: 'unnamed portal parameter $1 = in-where@adire.example',
        hint: 'Perhaps you meant in-hint@adire.example',
        internalQuery: 'select in-query@adire.example',
      };
      const error = Object.assign(new Error('duplicate key value'), { constraint: 'people_email', ...values });
      ${logger}('info').warn({ err: error }, 'a person was not added');
    `);
      expect(written).toContain('people_email');
      expect(written).not.toContain('@adire.example');
    },
  );
});
