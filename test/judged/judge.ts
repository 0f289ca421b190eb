import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { openStore, type StoreOptions } from '../../src/index.ts'
import { type Judged, OF_CORPUS, OF_DEMO } from './queries.ts'
import { inMemory, type Target } from './targets.ts'

/** The rank of the first correct hit of a query, from one; undefined if none of the first five is correct. */
export interface Verdict extends Judged {
  rank: number | undefined
}

const FIRST = 5
/** Transcripts in the corpus that are in no state directory, and their paths in one. */
const LAYOUT: readonly { files: string; folder: string }[] = [
  { files: 'claude-code/obra+*/**/*-conversation.jsonl', folder: '.claude/projects/conversations' },
  { files: 'claude-code/chiphuyen+*/**/*.jsonl', folder: '.claude/projects/music' },
  { files: 'claude-code/d-kimuson+*/**/sample-project/*.jsonl', folder: '.claude/projects/viewer' },
  { files: 'claude-code/thedotmack+*/**/sample-transcript.jsonl', folder: '.claude/projects/memory' },
  { files: 'openclaw/badlogic+*/**/*.jsonl', folder: '.openclaw/agents/pi/sessions' },
]

export const judgeDemo = (target: Target = inMemory): Promise<Verdict[]> =>
  judge(OF_DEMO, target({ demo: true }))

/** Undefined if there is no corpus. */
export async function judgeCorpus(
  target: Target = inMemory,
  corpus = process.env.SCROLLBACK_CORPUS,
): Promise<Verdict[] | undefined> {
  if (corpus === undefined || !existsSync(corpus)) return undefined
  const home = mkdtempSync(join(tmpdir(), 'scrollback-judged-'))
  try {
    for (const { files, folder } of LAYOUT) {
      mkdirSync(join(home, folder), { recursive: true })
      for (const file of globSync(files, { cwd: corpus }))
        cpSync(join(corpus, file), join(home, folder, basename(file)))
    }
    const dirs = { claudeDirs: [join(home, '.claude')], openclawDirs: [join(home, '.openclaw')] }
    return await judge(OF_CORPUS, target(dirs))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function judge(queries: readonly Judged[], options: StoreOptions): Promise<Verdict[]> {
  using store = await openStore(options)
  const verdicts: Verdict[] = []
  for (const each of queries) {
    const { hits } = await store.search(each.query, { limit: FIRST })
    let rank: number | undefined
    let count = 0
    for await (const { session, line } of hits) {
      count++
      const isRight = [each, ...(each.or ? [each.or] : [])].some(
        (right) => session.startsWith(right.session) && right.lines?.includes(line) !== false,
      )
      if (!isRight) continue
      rank = count
      break
    }
    verdicts.push({ ...each, rank })
  }
  return verdicts
}

/** The number of queries with the correct hit first, and among the first five. */
export const scoreOf = (verdicts: readonly Verdict[]) => ({
  queries: verdicts.length,
  first: verdicts.filter(({ rank }) => rank === 1).length,
  firstFive: verdicts.filter(({ rank }) => rank !== undefined).length,
})
