import { fork } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { lastChange, settleChanges } from '../../src/io/agent-folder/changes.ts'
import { killAtMoment } from '../kill-at-moment.ts'
import { createRandom } from '../random.ts'
import { temporaryHome } from '../records.ts'
import { shareOf } from '../share.ts'

const KILLS = shareOf(300)
const MOST_TIMES = 10

/** The files below a folder, with their contents. */
const filesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return `${path.slice(folder.length)} ${entry.isFile() ? readFileSync(path, 'utf8') : ''}`
    })
    .sort()
    .join('\n')

/** Kills that go on at the same time, each in a folder of its own, because most of the time is waiting. */
const LANES = 3
const PATIENCE_MS = 20 * 60_000

it(
  `leaves the folder of an agent as before or as after, over ${KILLS} kills`,
  async () => {
    const seen = { before: 0, after: 0, between: 0 }
    let kills = 0
    // On a busy machine, few kills may hit the moments between.
    const isEnough = (): boolean => Object.values(seen).every((count) => count > KILLS / 60)
    const isNext = (): boolean => kills++ < KILLS || (!isEnough() && kills < KILLS * MOST_TIMES)
    await Promise.all(
      Array.from({ length: LANES }, (_, lane) => killInTurn(createRandom(11 + lane), isNext, seen)),
    )
    // Otherwise the test would prove nothing.
    expect({ seen, isEnough: isEnough() }).toMatchObject({ isEnough: true })
  },
  PATIENCE_MS,
)

/** Kills one process after the other that changes the same folder, and compares what is left. */
async function killInTurn(
  random: ReturnType<typeof createRandom>,
  isNext: () => boolean,
  seen: { before: number; after: number; between: number },
): Promise<void> {
  const home = temporaryHome()
  const [root, dataFolder] = [join(home, 'agent'), join(home, 'own')]
  mkdirSync(join(root, 'p/old/memory'), { recursive: true })
  for (let each = 0; each < 4; each++) writeFileSync(join(root, `p/old/${each}.jsonl`), `old ${each}\n`)
  writeFileSync(join(root, 'p/old/memory/MEMORY.md'), 'notes')
  writeFileSync(join(root, 'list.json'), '{}')
  const before = filesIn(root)
  let after: string | undefined
  while (isNext()) {
    const child = fork(resolve(import.meta.dirname, 'changer.ts'), [root, dataFolder], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let listener = (_: string): void => {}
    child.on('message', (what) => listener(what === 'journal' ? 'journal' : 'step'))
    const { errors, killedAt } = await killAtMoment(child, random, {
      moments: ['step', 'step', 'step', 'journal'],
      most: 100,
      longestWait: 3000,
      longestLife: 300,
      longestDelay: 8,
      listen: (next) => {
        listener = next
      },
    })
    expect(errors).toBe('')
    expect(killedAt, 'it ended by itself').toBeDefined()
    if (![before, after].includes(filesIn(root))) seen.between++
    settleChanges({ dataFolder })
    const now = filesIn(root)
    const isDone = lastChange({ dataFolder }) !== undefined
    if (isDone) after ??= now
    expect(now, `killed at ${killedAt}`).toBe(isDone ? after : before)
    seen[isDone ? 'after' : 'before']++
  }
}
