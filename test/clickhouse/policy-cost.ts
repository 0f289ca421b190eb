/**
 * Measures what row policies cost: processor time of three questions over two million messages of 20,000
 * files, a tenth of which the user may see, as a ratio to the same question without a policy. Needs the
 * engine as a library (`npm run test:clickhouse` installs it): `node test/clickhouse/policy-cost.ts`
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TABLES = [
  'CREATE DATABASE team',
  `CREATE TABLE team.artifact (id Int64, person LowCardinality(String), version UInt64, deleted UInt8)
    ENGINE = ReplacingMergeTree(version, deleted) ORDER BY id`,
  `INSERT INTO team.artifact SELECT number, if(number % 10 = 0, 'ann', 'bob'), 1, 0 FROM numbers(20000)`,
  `CREATE TABLE team.item (artifact Int64, line Int64, at Int64, person LowCardinality(String), version UInt64,
    deleted UInt8, text String CODEC(ZSTD(3)), words String CODEC(ZSTD(3)),
    INDEX item_words words TYPE text(tokenizer = splitByString([' '])))
    ENGINE = ReplacingMergeTree(version, deleted) ORDER BY (artifact, line)`,
  `INSERT INTO team.item SELECT number % 20000, intDiv(number, 20000), number,
    if(number % 10 = 0, 'ann', 'bob'), 1, 0,
    arrayStringConcat(arrayMap(each -> lower(hex(cityHash64(number * 31 + each) % 5000)), range(30)), ' ') AS text,
    concat(' ', text, ' ') FROM numbers(2000000)`,
  'OPTIMIZE TABLE team.item FINAL',
]

const QUESTIONS = {
  'count by time':
    'SELECT intDiv(at, 100000) AS span, count() FROM team.item FINAL GROUP BY span FORMAT Null',
  'count the words of all texts': "SELECT sum(countMatches(text, '[^ ]+')) FROM team.item FINAL FORMAT Null",
  'find a word': "SELECT count() FROM team.item FINAL WHERE hasToken(words, '03e8') FORMAT Null",
  'read one session': 'SELECT text FROM team.item FINAL WHERE artifact = 4000 ORDER BY line FORMAT Null',
}

const POLICIES = {
  'no policy': '',
  'a column of the person': "person = 'ann'",
  'a subquery over the files': 'artifact IN (SELECT id FROM team.artifact FINAL)',
  'the same, and the indexed column':
    'artifact IN (SELECT id FROM team.artifact FINAL) AND NOT ignore(words)',
}

const ROUNDS = 5

/** The library is installed on demand, so it is not known when the sources are checked. */
interface Engine {
  query(statement: string): string
  close(): void
}
const library = 'chdb'

async function open(folder: string, config: string[]): Promise<Engine> {
  const { Session } = (await import(library)) as {
    Session: new (folder: string, options: { connectionArgs: string[] }) => Engine
  }
  return new Session(folder, { connectionArgs: config })
}

function configWith(folder: string, policy: string): string {
  const users = join(folder, 'users.xml')
  const filter = (table: string, rows: string): string =>
    rows === '' ? '' : `<${table}><filter>${rows}</filter></${table}>`
  writeFileSync(
    users,
    `<clickhouse><profiles><default><max_threads>1</max_threads><query_plan_direct_read_from_text_index>0</query_plan_direct_read_from_text_index>
      </default></profiles><quotas><default/></quotas><users><default><password></password><networks><ip>::/0</ip></networks>
      <profile>default</profile><quota>default</quota><grants><query>GRANT SELECT ON team.*</query></grants>
      <databases><team>${filter('item', policy)}${filter('artifact', "person = 'ann'")}</team></databases></default></users></clickhouse>`,
  )
  const config = join(folder, 'config.xml')
  writeFileSync(
    config,
    `<clickhouse><user_directories><users_xml><path>${users}</path></users_xml></user_directories></clickhouse>`,
  )
  return config
}

/** In a process of its own, because one process has one folder and one list of users. */
async function measure(folder: string, policy: string): Promise<void> {
  const engine = await open(join(folder, 'data'), [`--config-file=${configWith(folder, policy)}`])
  const times = Object.values(QUESTIONS).map((statement) => {
    engine.query(statement)
    const start = process.cpuUsage()
    for (let round = 0; round < ROUNDS; round++) engine.query(statement)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000 / ROUNDS
  })
  process.stdout.write(JSON.stringify(times))
  engine.close()
}

function asChild(...words: string[]): string {
  const { stdout, status } = spawnSync(process.execPath, [import.meta.filename, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) process.exit(1)
  return stdout.toString()
}

const [, , job, folder = '', policy = ''] = process.argv
if (job === 'fill') {
  const engine = await open(join(folder, 'data'), [])
  for (const statement of TABLES) engine.query(statement)
  engine.close()
} else if (job === 'measure') await measure(folder, policy)
else {
  const own = mkdtempSync(join(tmpdir(), 'scrollback-policies-'))
  try {
    asChild('fill', own)
    let without: number[] | undefined
    for (const [name, rows] of Object.entries(POLICIES)) {
      const times = JSON.parse(asChild('measure', own, rows)) as number[]
      without ??= times
      const ratios = Object.keys(QUESTIONS).map(
        (question, index) =>
          `${question} ${times[index]!.toFixed(1)} ms, ${(times[index]! / without![index]!).toFixed(2)}`,
      )
      process.stdout.write(`${name}: ${ratios.join('; ')}\n`)
    }
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
