import { bash, bashFails, edit, read, write } from './claude-code-calls.ts'
import type { ClaudeSession } from './claude-code-transcript.ts'
import { acts, agent, thinks, you } from './story.ts'

const cwd = '/home/dev/eastore/api'
const at = (path: string): string => `${cwd}/${path}`
const common = { cwd, version: '2.1.112', model: 'claude-sonnet-4-6' } as const

const migration: ClaudeSession = {
  ...common,
  seed: 'api: postgres',
  model: 'claude-opus-4-6',
  branch: 'postgres',
  start: '2026-10-13 09:05',
  title: { type: 'custom-title', text: 'Move to Postgres' },
  steps: [
    you(
      'We move from the JSON files to Postgres. Read docs/why-postgres.md, then propose a plan. I want plain SQL, no ORM.',
    ),
    acts(
      read(
        at('docs/why-postgres.md'),
        '# Why Postgres\n\n1. Known payment events must survive a restart.\n2. Stock must be taken in one statement, also with two processes.',
      ),
      bash(
        'ls data && wc -l data/*.json',
        'events.json  orders.json  products.json\n   310 data/events.json\n  1204 data/orders.json\n    86 data/products.json',
      ),
    ),
    agent(
      'Plan:\n\n1. `migrations/001_tables.sql`: products, stock, orders, order_lines, payment_events\n2. a script that loads the JSON files in one transaction\n3. a rehearsal on a copy, with counts before and after\n4. the switch in the night from Wednesday to Thursday, the JSON files stay as the way back\n\nThe driver is `pg`, nothing more. 1,204 orders load in seconds.',
    ),
    you('Agreed. The rehearsal is not optional.', { after: 7 }),
    acts(
      write(
        at('migrations/001_tables.sql'),
        'create table products (sku text primary key, name text not null, cents integer not null, unit text not null);\ncreate table stock (sku text primary key references products, left integer not null check (left >= 0));\ncreate table orders (id bigint primary key, placed_at timestamptz not null, total integer not null, state text not null);\ncreate table order_lines (order_id bigint references orders, sku text references products, quantity integer, cents integer);\ncreate table payment_events (id text primary key, order_id bigint references orders, cents integer);\n',
      ),
      bashFails(
        'psql eastore_rehearsal -f migrations/001_tables.sql',
        'psql:migrations/001_tables.sql:2: ERROR:  syntax error at or near "left"',
        3,
      ),
    ),
    agent(
      '`left` is a reserved word in SQL. The column becomes `in_stock`.',
      edit(
        at('migrations/001_tables.sql'),
        'left integer not null check (left >= 0)',
        'in_stock integer not null check (in_stock >= 0)',
      ),
      bash(
        'psql eastore_rehearsal -f migrations/001_tables.sql',
        'CREATE TABLE\nCREATE TABLE\nCREATE TABLE\nCREATE TABLE\nCREATE TABLE',
      ),
    ),
    acts(
      write(
        at('scripts/load-json.js'),
        "// Loads data/*.json in one transaction: all of it or nothing.\nawait client.query('begin')\nfor (const table of ['products', 'stock', 'orders', 'order_lines', 'payment_events']) await load(table)\nawait client.query('commit')\n",
      ),
      bashFails(
        'node scripts/load-json.js eastore_rehearsal',
        'error: insert or update on table "order_lines" violates foreign key constraint\ndetail: Key (sku)=(TP-01) is not present in table "products".',
      ),
    ),
    thinks(
      'Products have tp-01 in small letters since September, old orders have TP-01.',
      'The rehearsal has paid for itself. 42 old order lines say `TP-01`, the product is called `tp-01` since September. Shall I lower-case the names while loading, or keep both as products?',
    ),
    you('Lower-case while loading, and let the database refuse capitals from now on.', { after: 4 }),
    acts(
      edit(
        at('migrations/001_tables.sql'),
        'sku text primary key, name',
        'sku text primary key check (sku = lower(sku)), name',
      ),
      bash(
        'node scripts/load-json.js eastore_rehearsal',
        'products 86\nstock 86\norders 1204\norder_lines 2931\npayment_events 310\nsum of totals 4871935 = 4871935',
      ),
    ),
    agent(
      'The rehearsal is through: all counts agree, and the sum of all order totals is the same before and after, 48,719.35 euro.',
    ),
    {
      type: 'compaction',
      instructions: 'keep the plan for the switch and the way back',
      summary:
        '1. Request: move eastore-api from JSON files to Postgres, plain SQL, no ORM, with a rehearsal.\n2. Done: migrations/001_tables.sql, scripts/load-json.js; rehearsal on eastore_rehearsal with equal counts and sums.\n3. Decisions: column in_stock instead of left (reserved word); names of products in small letters, checked by the database; one transaction for the load.\n4. Plan for the switch: stop the API, load, compare counts, start. Way back: start the old version, the JSON files are untouched.\n5. Next: rewrite the stores, then the switch on Wednesday night.',
    },
    you('Go on with the stores.', { at: '2026-10-14 10:15' }),
    acts(
      edit(
        at('src/stock/reserve.js'),
        'inTurn(sku, () => take(sku))',
        "pool.query('update stock set in_stock = in_stock - 1 where sku = $1 and in_stock >= 1', [sku]).then((r) => r.rowCount === 1)",
      ),
      bash('npm test', 'ℹ pass 27\nℹ fail 0', 'Run all tests against Postgres'),
    ),
    agent(
      'All stores use Postgres, and `in-turn.js` is gone: taking stock is one statement now. 27 tests pass. Everything is ready for the switch.',
    ),
    you('Backup is done and proven. We switch now.', { at: '2026-10-14 22:30' }),
    acts(
      {
        ...bash(
          'systemctl --user stop eastore-api && node scripts/load-json.js eastore',
          'products 86\nstock 86\norders 1219\norder_lines 2967\npayment_events 318\nsum of totals 4933510 = 4933510',
        ),
        seconds: 618,
      },
      bash(
        'systemctl --user start eastore-api && curl -s localhost:3000/health',
        '{"ok":true,"database":"postgres"}',
      ),
    ),
    agent(
      'The switch is done: the shop was down for 11 minutes, 1,219 orders are in Postgres, and the sums agree. The way back (old version and JSON files) stays until the end of the month.',
    ),
  ],
}

const slowOrders: ClaudeSession = {
  ...common,
  seed: 'api: slow orders',
  branch: 'main',
  start: '2026-10-29 16:48',
  title: { type: 'ai-title', text: 'Orders page takes four seconds' },
  steps: [
    you('The orders page in the back office takes four seconds since the move to Postgres. Why?'),
    agent(
      'I will count the queries of one request and ask the database for its plan.',
      bash('grep -c "duration" logs/one-request.log', '1251'),
      bash(
        'psql eastore -c "explain analyze select * from order_lines where order_id = 1100"',
        'Seq Scan on order_lines (actual time=0.41..3.02 rows=3 loops=1)\n  Filter: (order_id = 1100)\n  Rows Removed by Filter: 3148\nExecution Time: 3.05 ms',
      ),
    ),
    thinks(
      'Two causes: N+1 and a missing index. A foreign key makes no index in Postgres.',
      'Two causes that multiply:\n\n1. one query for each order: 1,250 queries a page\n2. each of them reads the whole table, since a foreign key does not make an index\n\nI fix both.',
      write(
        at('migrations/002_order_lines_index.sql'),
        'create index concurrently order_lines_order_id on order_lines (order_id);\n',
      ),
      edit(
        at('src/orders/store.js'),
        'for (const order of orders) order.lines = await linesOf(order.id)',
        'const lines = await linesOfAll(orders.map((order) => order.id))\nfor (const order of orders) order.lines = lines.get(order.id) ?? []',
      ),
    ),
    acts(
      bash(
        'psql eastore -f migrations/002_order_lines_index.sql && node scripts/time-page.js /orders',
        'CREATE INDEX\n/orders 38 ms (2 queries)',
      ),
    ),
    agent('From 4,100 ms to 38 ms, and from 1,251 queries to 2. Migration `002` has the index.'),
    you('Is there any other foreign key without an index?', { after: 2 }),
    acts(
      bash(
        'psql eastore -f scripts/missing-indexes.sql',
        ' table          | column\n----------------+----------\n payment_events | order_id\n order_lines    | sku',
      ),
    ),
    acts(
      edit(
        at('migrations/002_order_lines_index.sql'),
        '(order_id);\n',
        '(order_id);\ncreate index concurrently payment_events_order_id on payment_events (order_id);\n',
      ),
    ),
    agent(
      'Two more: `payment_events.order_id` and `order_lines.sku`. The first is read on every refund, so I have added it to `002`. The second is never searched; I left it.',
    ),
  ],
}

const release: ClaudeSession = {
  ...common,
  seed: 'api: release',
  branch: 'release-1.0',
  start: '2026-11-06 09:30',
  title: { type: 'custom-title', text: 'Release 1.0' },
  steps: [
    {
      type: 'slash-command',
      name: 'release-check',
      arguments: '1.0.0 and be strict, this is the one we print on the poster',
    },
    agent(
      'I go through the list: tests, lint, migrations, changelog, version.',
      bash('npm test', 'ℹ pass 41\nℹ fail 0'),
      bashFails(
        'npm run lint',
        "src/payments/events.js:3:7  error  'seen' is assigned a value but never used\n✖ 1 problem",
      ),
    ),
    agent(
      'A leftover of the time before Postgres: known events are in the table now. I remove it.',
      edit(at('src/payments/events.js'), 'const seen = new Set()\n\n', ''),
      bash('npm run lint', 'no problems'),
    ),
    acts(
      write(
        at('CHANGELOG.md'),
        '# Changelog\n\n## 1.0.0 (2026-11-06)\n\n- Catalogue, cart with holds of 15 minutes, checkout, payments, refunds.\n- Tax is rounded once per order.\n- Postgres instead of JSON files.\n- The orders page answers in 38 ms instead of 4 s.\n',
      ),
    ),
    agent(
      'Everything on the list is green now. I have written the changelog; the version goes up with the tag. Shall I open the pull request?',
    ),
    you('Yes. And wait for CI before you tag.', { after: 9 }),
    acts(bash('gh pr create --fill --base main', 'https://github.example/eastore/api/pull/41')),
    { type: 'pull-request', number: 41, repository: 'eastore/api' },
    acts(
      bash(
        'gh pr checks 41 --watch && gh pr merge 41 --squash && npm version 1.0.0 && git push --follow-tags',
        'lint   pass  21s\ntests  pass  1m4s\nv1.0.0\n * [new tag]  v1.0.0 -> v1.0.0',
      ),
    ),
    agent(
      '`v1.0.0` is tagged and pushed, CI was green before. One thing was found on the way: a leftover `seen` set in the payment events, removed.',
    ),
  ],
}

const dependencyCheck: ClaudeSession = {
  ...common,
  seed: 'api: dependency check',
  branch: 'main',
  start: '2026-11-07 03:00',
  entrypoint: 'sdk-cli',
  title: { type: 'ai-title', text: 'Nightly dependency check' },
  steps: [
    you(
      'Check the dependencies of this repository for known holes and for new major versions. Answer in at most five lines.',
    ),
    acts(
      bash('npm audit --omit=dev', 'found 0 vulnerabilities'),
      bash('npm outdated --omit=dev', 'Package  Current  Wanted  Latest\npg        8.16.3  8.16.4  8.16.4'),
    ),
    agent(
      'No known holes. No new major versions.\n`pg` has a patch release, 8.16.4; nothing in it concerns us.',
    ),
  ],
}

/** From the move to Postgres to the night after the release. */
export const apiRelease: ClaudeSession[] = [migration, slowOrders, release, dependencyCheck]
