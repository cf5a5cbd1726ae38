import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { databaseAddress, startTestCluster } from '../test/support/test-cluster.ts';
import { schemaText } from './schema-text.ts';

/** Migrates an empty database and writes down what it has then. */
const { server, stop } = await startTestCluster();
const client = new pg.Client({ connectionString: databaseAddress(server.connectionString, server.template) });
try {
  await client.connect();
  writeFileSync(new URL('../docs/schema.sql', import.meta.url), await schemaText(client));
} finally {
  await client.end();
  await stop();
}
console.log('Wrote docs/schema.sql.');
