import { describe, expect, it } from 'vitest';
import { migrationsTakeNoLongLock } from './migration-locks.ts';
import * as migrations from './migration-rules.ts';
import * as patterns from './pattern-rules.ts';
import * as rules from './rules.ts';

const src = rules.filesIn('src', '.ts');
const migrationFiles = rules.filesIn('migrations', '.sql');
const everything = [
  ...src,
  ...migrationFiles,
  ...rules.filesIn('bench', '.ts'),
  ...rules.filesIn('docs', '.md'),
  ...rules.filesIn('test', '.ts').filter((file) => !file.path.startsWith('test/architecture/')),
];

/** Each guarantee with the rule that finds its breaches, where it looks, and a breach that it has to find. */
const guarantees: [string, rules.Rule, rules.SourceFile[], rules.SourceFile[]][] = [
  [
    'SQL stands in queries.ts, and nowhere else but the ledger and platform/db',
    rules.sqlStandsInQueries,
    src,
    [{ path: 'src/stores/store.ts', text: 'const sql = `select id from stores where id = $1`;' }],
  ],
  [
    'each table is written by exactly one module',
    rules.eachTableHasOneWriter,
    src,
    [
      { path: 'src/stores/queries.ts', text: `setInsert('stores', {});` },
      { path: 'src/wallets/queries.ts', text: `statement('rename', 'update stores s set name = $1');` },
    ],
  ],
  [
    'only the ledger mentions the tables of the ledger',
    rules.onlyTheLedgerMentionsItsTables,
    src,
    [{ path: 'src/payouts/queries.ts', text: `statement('peek', 'select 1 from wallets join accounts a on true');` }],
  ],
  [
    'no two statements share a name',
    rules.statementNamesAreUnique,
    src,
    [{ path: 'src/stores/queries.ts', text: `setInsert('stores', {}); statement('insert-stores', 'select 1');` }],
  ],
  [
    'money becomes a number only in views.ts',
    rules.moneyBecomesANumberOnlyInViews,
    src,
    [{ path: 'src/stores/debit-store.ts', text: 'const naira = Number(row.amount_minor) / 100;' }],
  ],
  [
    'what is remembered is remembered through platform/cache.ts',
    rules.onlyTheCacheModuleRemembers,
    src,
    [{ path: 'src/stores/store.ts', text: `import { LRUCache } from 'lru-cache';` }],
  ],
  [
    'what backs off fills no list with a limit: the statement leaves it out',
    rules.listsLeaveOutWhatBacksOff,
    src,
    [{ path: 'src/stores/store.ts', text: 'due.filter(({ id }) => !failures.isBackingOff(id))' }],
  ],
  [
    'a pattern takes as long as the text that it looks through',
    patterns.patternsGoThroughATextOnce,
    src,
    [{ path: 'src/stores/store.ts', text: 'const isMail = /[^\\s@]+@/.test(text);' }],
  ],
  [
    'a pattern that takes longer is one of short texts',
    patterns.shortTextsAreStillThere,
    src,
    [{ path: 'src/rails/http.ts', text: '' }],
  ],
  ['nothing is any', rules.nothingIsAny, src, [{ path: 'src/stores/store.ts', text: 'const rows: any[] = [];' }]],
  [
    'no file says that it is unfinished',
    rules.nothingIsUnfinished,
    everything,
    [{ path: 'src/stores/store.ts', text: '// TODO later' }],
  ],
  [
    'a file has one subject',
    rules.filesHaveOneSubject,
    src,
    [{ path: 'src/stores/everything.ts', text: 'const a = 1;\n'.repeat(401) }],
  ],
  [
    'names, comments, messages and pages have the words of the field',
    rules.wordsAreThoseOfTheField,
    [
      ...src,
      ...rules.filesIn('docs', '.md'),
      ...rules.filesIn('dashboard/src', '.ts'),
      ...rules.filesIn('dashboard/src', '.tsx'),
      ...rules.filesIn('scripts', '.ts'),
      ...rules.rootPages(),
    ],
    [{ path: 'src/stores/store.ts', text: '// The hold is given\n// back.' }],
  ],
  [
    'the schema has the words of the field',
    rules.theSchemaHasTheWordsOfTheField,
    rules.filesIn('docs', 'schema.sql'),
    [{ path: 'docs/schema.sql', text: 'create index payouts_by_mark on payouts (mark);' }],
  ],
  [
    'every migration is named after its subject and begins with the reason',
    migrations.migrationsSayWhy,
    migrationFiles,
    [{ path: 'migrations/0001_stores.sql', text: 'create table stores ();' }],
  ],
  [
    'a merged migration never changes',
    migrations.mergedMigrationsNeverChange,
    migrationFiles,
    [{ path: 'migrations/0001_ledger.sql', text: '-- One row for each merchant.\ncreate table books ();' }],
  ],
  [
    'every table has a comment',
    migrations.tablesHaveComments,
    migrationFiles,
    [{ path: 'migrations/0001_stores.sql', text: 'create table stores ();\ncreate table banks ();' }],
  ],
  [
    'no two migrations share a number',
    migrations.migrationNumbersAreUnique,
    migrationFiles,
    [
      { path: 'migrations/0001_stores.sql', text: '' },
      { path: 'migrations/0001_banks.sql', text: '' },
    ],
  ],
  [
    'a table of a tenant begins with merchant_id, and so do its keys',
    migrations.tenantTablesBeginWithTheMerchant,
    migrationFiles,
    [
      {
        path: 'migrations/0001_stores.sql',
        text: 'create table stores (merchant_id uuid not null, id uuid not null, primary key (id, merchant_id));',
      },
    ],
  ],
  [
    'an index of a tenant’s table begins with merchant_id',
    migrations.tenantIndexesBeginWithTheMerchant,
    migrationFiles,
    [{ path: 'migrations/0001_stores.sql', text: 'create index stores_by_name on stores (name, merchant_id);' }],
  ],
  [
    'the database refuses a mode that does not exist',
    migrations.modeIsChecked,
    migrationFiles,
    [{ path: 'migrations/0001_stores.sql', text: 'create table stores (\n  mode text not null\n);' }],
  ],
  [
    'the schema has nothing that a distributed database could not keep',
    migrations.nothingHindersDistribution,
    migrationFiles,
    [{ path: 'migrations/0001_stores.sql', text: 'create table stores (created_at timestamptz default now());' }],
  ],
  [
    'every table has its place in a distributed database, a tenant’s beside its merchant',
    migrations.tablesHaveTheirPlaces,
    migrationFiles,
    [{ path: 'migrations/0001_stores.sql', text: 'create table stalls (merchant_id uuid not null);' }],
  ],
  [
    'a migration makes no index beside which nobody can write',
    migrationsTakeNoLongLock,
    migrationFiles,
    [{ path: 'migrations/0099_stores.sql', text: 'create index stores_by_name on stores (merchant_id, name);' }],
  ],
  [
    'a migration makes no key whose index is built under a lock',
    migrationsTakeNoLongLock,
    migrationFiles,
    [
      {
        path: 'migrations/0099_stores.sql',
        text: 'alter table stores add constraint stores_pk primary key (merchant_id, id);',
      },
    ],
  ],
  [
    'a migration makes no constraint that is checked on every row at once',
    migrationsTakeNoLongLock,
    migrationFiles,
    [{ path: 'migrations/0099_stores.sql', text: "alter table stores add constraint stores_name check (name <> '');" }],
  ],
  [
    'a migration makes no column that may not be null, of which every row is read under a lock',
    migrationsTakeNoLongLock,
    migrationFiles,
    [{ path: 'migrations/0099_stores.sql', text: 'alter table stores alter column name set not null;' }],
  ],
  [
    'a migration makes no type that writes every row anew',
    migrationsTakeNoLongLock,
    migrationFiles,
    [{ path: 'migrations/0099_stores.sql', text: 'alter table stores alter column name type varchar(9);' }],
  ],
  [
    'a migration validates no constraint under the lock that adding it took',
    migrationsTakeNoLongLock,
    migrationFiles,
    [
      {
        path: 'migrations/0099_stores.sql',
        text: "alter table stores add constraint stores_name check (name <> '') not valid; alter table stores validate constraint stores_name;",
      },
    ],
  ],
  [
    'a migration adds no column that is computed of every row',
    migrationsTakeNoLongLock,
    migrationFiles,
    [
      {
        path: 'migrations/0099_stores.sql',
        text: 'alter table stores add column short text generated always as (left(name, 9)) stored;',
      },
    ],
  ],
  [
    'a migration adds no column with an index',
    migrationsTakeNoLongLock,
    migrationFiles,
    [{ path: 'migrations/0099_stores.sql', text: 'alter table stores add column code text unique;' }],
  ],
  [
    'a migration drops no index in front of those who read',
    migrationsTakeNoLongLock,
    migrationFiles,
    [{ path: 'migrations/0099_stores.sql', text: 'drop index stores_by_name;' }],
  ],
  [
    'a migration builds no index anew in front of those who write',
    migrationsTakeNoLongLock,
    migrationFiles,
    [{ path: 'migrations/0099_stores.sql', text: 'reindex table stores;' }],
  ],
  [
    'a migration builds an index concurrently outside of a transaction',
    migrationsTakeNoLongLock,
    migrationFiles,
    [
      {
        path: 'migrations/0099_stores.sql',
        text: 'create index concurrently stores_by_name on stores (merchant_id, name);',
      },
    ],
  ],
  [
    'a migration outside of a transaction has one statement',
    migrationsTakeNoLongLock,
    migrationFiles,
    [
      {
        path: 'migrations/0099_stores.sql',
        text: '-- no-transaction: why.\ncreate index concurrently stores_by_name on stores (merchant_id, name);\nselect 1;',
      },
    ],
  ],
  [
    'a migration keeps no rows locked that it changes',
    migrationsTakeNoLongLock,
    migrationFiles,
    [{ path: 'migrations/0099_stores.sql', text: "update stores set name = 'x';" }],
  ],
  [
    'a migration moves no table',
    migrationsTakeNoLongLock,
    migrationFiles,
    [{ path: 'migrations/0099_stores.sql', text: 'alter table stores set logged;' }],
  ],
];

describe.each(guarantees)('%s', (_guarantee, rule, files, breach) => {
  it('holds in this tree', () => {
    expect(files.length).toBeGreaterThan(0);
    expect(rule(files)).toEqual([]);
  });

  it('is checked by a rule that finds a breach', () => {
    expect(rule(breach)).not.toEqual([]);
  });
});
