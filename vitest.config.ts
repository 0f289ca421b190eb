import { existsSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/sequence.ts'

/**
 * Tests that cut files, kill processes, inject faults, pack the package, or start very many processes, which
 * together take longer than all others.
 */
const EXHAUSTIVE = [
  'test/{bench,canary,crash,hostile}/**/*.test.ts',
  'test/contract/cuts-*.test.ts',
  'test/contract/{cut-heads,database-*,deleted-rows,delivery-*,eras,model,mutation,rewritten-history}.test.ts',
  'test/e2e/{all-eras,collect-receive,cut-files,databases,examples}.test.ts',
  'test/e2e/{full-disk,hostile,killed,names,package,public-examples}.test.ts',
  'test/e2e/{cron,item-usage,json,semantic-memory,session-index,subagents}.test.ts',
  'test/e2e/{suggestions,system-calls,terminal,third-platform,whose-words}.test.ts',
  'test/contract/store-copy-command.test.ts',
  'test/devlog/writer.test.ts',
  'src/redact/{triggers,work}.test.ts',
]

/** The same with servers in their process: its files share a browser, and a server over the demo. */
const EXHAUSTIVE_PAGES = [
  'test/page/{addresses,branches,edits,evidence,faults,filters,foreign,forms,heat,hostile}.test.ts',
  'test/page/{indexing,keys,listing,lists,live,live-list,long,looks,memory,notes,opened,pages,palette}.test.ts',
  'test/page/{panes,rescue,review,room,runs,search,secrets,session-keys,session-parts,sign-in,statistics,stats-spans,tags}.test.ts',
  'test/page/{theme,whole-text,writing,wrong-addresses,zones}.test.ts',
]

/**
 * Exhaustive tests that replace modules, have servers without a page, or freeze answers about the demo, to which
 * commands in the same thread may have given names: each file has a process of its own.
 */
const EXHAUSTIVE_ALONE = [
  'test/contract/delivery-{faults,kills,model}.test.ts',
  'test/e2e/json.test.ts',
  'test/http/{answers,fuzz}.test.ts',
]

const all = ['src/**/*.test.ts', 'test/**/*.test.ts']

/** Quick tests that replace modules, or have servers in their process: each file has a process of its own. */
const ALONE = [
  'test/http/**/*.test.ts',
  'test/page/later-address.test.ts',
  'test/sqlite/{refresh-floor,search-cancelled}.test.ts',
]

/** Tests of what `npm run check:static` checks. */
const STATIC = ['test/{bundle,third-party-licenses,workflows}.test.ts']

/** Only what hangs takes longer, also on a busy machine. */
const PATIENCE_MS = 300_000

/** Homes are in memory where there is room: writing them takes a third of the time. */
const MEMORY = '/dev/shm'
const ROOM = 2 ** 32
const isRoom = (): boolean => {
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > ROOM
}

// Processes and threads of tests find the sources without their types, and compiled: a thread loads them in a
// third of the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/sources')

const shared = {
  testTimeout: PATIENCE_MS,
  hookTimeout: PATIENCE_MS,
  env: { TZ: 'UTC', ...(existsSync(MEMORY) && isRoom() ? { TMPDIR: MEMORY } : {}) },
  // Most tests wait for something other than a core: a process, a disk, a pause.
  maxWorkers: Math.max(3, availableParallelism()),
}

/** Loading the modules again for each file would take a third of the time. */
const together = { isolate: false, restoreMocks: true }

export default defineConfig({
  test: {
    ...shared,
    reporters: ['./test/progress-reporter.ts'],
    globalSetup: 'test/build-package.ts',
    sequence: { sequencer: LongestFirst },
    // Node runs the modules as they are, without a transformation: three quarters of the processor time.
    experimental: { viteModuleRunner: false },
    projects: [
      {
        test: {
          ...shared,
          ...together,
          name: 'quick',
          include: all,
          exclude: [
            ...EXHAUSTIVE,
            ...EXHAUSTIVE_PAGES,
            ...EXHAUSTIVE_ALONE,
            ...ALONE,
            ...STATIC,
            '**/node_modules/**',
          ],
        },
      },
      { test: { ...shared, name: 'quick-alone', include: ALONE, exclude: EXHAUSTIVE_ALONE } },
      {
        test: {
          ...shared,
          ...together,
          name: 'exhaustive',
          include: EXHAUSTIVE,
          exclude: [...EXHAUSTIVE_ALONE, '**/node_modules/**'],
        },
      },
      { test: { ...shared, ...together, name: 'exhaustive-pages', include: EXHAUSTIVE_PAGES } },
      { test: { ...shared, name: 'exhaustive-alone', include: EXHAUSTIVE_ALONE } },
      { test: { ...shared, name: 'static', include: STATIC } },
    ],
  },
})
