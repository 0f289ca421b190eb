import { type ChildProcess, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SpaceAddress } from '../../../src/store/team.ts'
import { type KillMoments, killAtMoment } from '../../kill-at-moment.ts'
import { program } from '../../program.ts'
import { createRandom, type Random } from '../../random.ts'
import { addressOf, collector, complete, environment } from './collector.ts'
import { createProxy, type Fate } from './proxy.ts'
import { createTree } from './tree.ts'
import { judge, type Verdict } from './verdict.ts'

export interface KillsRun {
  kills: number
  seed: number
  /** An empty folder. */
  folder: string
  /** Two empty databases of one server: for the collector that is killed, and for the other one. */
  databases: readonly [SpaceAddress, SpaceAddress]
  progress?(kills: number): void
}

export interface KillsReport {
  kills: number
  /** Where the collector was when it was killed, and what happened to its requests, with counts. */
  killedAt: Record<string, number>
  befell: Record<string, number>
  /** Collectors that ended with an error, because a request failed too often. */
  gaveUp: number
  verdict: Verdict
  /** Where the answers of commands differ between the two stores. */
  differing: string[]
}

/** Kills between two moments at which both stores are brought up to date, and files are rewritten. */
const ROUND = 10
/** A kill comes at one of this many requests. */
const KILLS = {
  moments: ['came', 'executed', 'answered'],
  most: 30,
  longestWait: 10_000,
  longestLife: 2500,
}
const LIVES = 10

const FATES: readonly Fate[] = [
  ...Array.from({ length: 60 }, () => 'none' as const),
  ...(['stalls', 'cut before', 'half a request', 'answer lost', 'answer lost', 'half an answer'] as const),
  ...(['repeated', 'late', 'repeated late', '503'] as const),
]
/** Only inserts are sent again after later statements, so more of those are. */
const OF_INSERTS: readonly Fate[] = ['late', 'late', 'repeated late', 'repeated late', 'repeated']
/** A statement that is not an insert is never sent again after others: its sender would have waited. */
const ORDERED: Partial<Record<Fate, Fate>> = { late: 'cut before', 'repeated late': 'answer lost' }

/** The commands whose answers have to be the same. */
const QUESTIONS = [
  ['sessions', '--all'],
  ['projects'],
  ['stats'],
  ['stats', '--by', 'tool'],
  ['stats', '--by', 'session'],
  ['search', 'fern'],
  ['search', 'ston', '--limit', '50'],
  ['search', 'who:human pump'],
]

/**
 * Kills a collector that fills a team store, again and again, while its connections fail and transcripts
 * change, and lets it finish its work. Compares the store with one that was filled without interruption.
 */
export async function killCollector({
  kills,
  seed,
  folder,
  databases,
  progress,
}: KillsRun): Promise<KillsReport> {
  const random = createRandom(seed)
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  const tree = createTree(home, seed + 1)
  let faulty = true
  let onMoment: (what: string) => void = () => {}
  const proxy = await createProxy({
    server: databases[0].url,
    moment: (what) => onMoment(what),
    fate({ isInsert }) {
      if (!faulty) return 'none'
      const fates = isInsert ? [...FATES, ...OF_INSERTS] : FATES
      const fate = fates[random(fates.length)]!
      return isInsert ? fate : (ORDERED[fate] ?? fate)
    },
  })
  const [killed, other] = databases
  const through: SpaceAddress = { ...killed, url: proxy.url }
  const report = { kills: 0, killedAt: {} as Record<string, number>, befell: proxy.befell, gaveUp: 0 }
  try {
    while (report.kills < kills) {
      tree.change()
      for (let lives = 0, count = 0; count < ROUND && report.kills < kills; ) {
        if (++lives > ROUND * LIVES) throw new Error(`of ${lives} collectors only ${count} were killed`)
        tree.grow()
        const where = await kill(collector(home, through), random, (listener) => {
          onMoment = listener
        })
        await proxy.drain()
        if (where === 'gave up') report.gaveUp++
        if (where === 'gave up' || where === 'ended') continue
        report.killedAt[where] = (report.killedAt[where] ?? 0) + 1
        report.kills++
        count++
        progress?.(report.kills)
      }
      faulty = false
      for (const address of [through, other]) await complete(collector(home, address))
      faulty = true
    }
    faulty = false
    return {
      ...report,
      verdict: judge(databases, join(home, '.local/share/scrollback/store.sqlite'), tree.words()),
      differing: [...QUESTIONS, ...tree.sessions().map((id) => ['read', id])].flatMap((words) =>
        differences(words, ask(home, killed, words), ask(home, other, words)),
      ),
    }
  } finally {
    await proxy.close()
  }
}

/** The answer of a command, without what differs between the two stores. */
function ask(home: string, server: SpaceAddress, words: readonly string[]): string {
  const given = [program, ...words, '--json', '--store', addressOf(server)]
  const { stdout, stderr, status } = spawnSync(process.execPath, given, {
    encoding: 'utf8',
    cwd: home,
    env: environment(home, server),
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
  // Scores depend on the time of the question.
  return stdout.replaceAll(/"(?:gone\w*|score)":\s*(?:"[^"]*"|[\d.e-]+)/g, '"":0')
}

/** Where two answers of a command differ first, if they do. */
function differences(words: readonly string[], ours: string, theirs: string): string[] {
  if (ours === theirs) return []
  let at = 0
  while (ours[at] === theirs[at]) at++
  const around = (text: string): string => text.slice(Math.max(0, at - 80), at + 80)
  return [`${words.join(' ')}: ${around(ours)} instead of ${around(theirs)}`]
}

/** Kills a process at a moment of some request, or at any time. */
async function kill(child: ChildProcess, random: Random, listen: KillMoments['listen']): Promise<string> {
  const { killedAt, code, errors } = await killAtMoment(child, random, { ...KILLS, listen })
  if (killedAt !== undefined) return killedAt
  if (code === 0) return 'ended'
  if (errors.includes('does not answer')) return 'gave up'
  throw new Error(`a collector ended with ${code}: ${errors}`)
}
