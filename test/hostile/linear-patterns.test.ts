import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'

interface Pattern {
  where: string
  source: string
  flags: string
}

/** Files in which patterns only see short texts, with the reason. */
const SHORT: Readonly<Record<string, string>> = {
  'src/surfaces/http/page/app.ts': 'the path of an address, which Node limits to 16 KB',
  'src/deliver/delivery/inventory.ts': 'the name of a file',
  'src/commands/collect/service.ts': 'a word of a command line of ours',
  'src/commands/collect/command.ts': 'an address that the user gives',
  'src/commands/devlog/command.ts': 'a page that was made here',
  'src/render/table.ts': 'a number',
  'src/redact/rule.ts': 'the source of a rule of ours',
  'src/redact/redactor.ts': 'a pattern of the user, of at most 1,000 characters',
}

/** Linear patterns take milliseconds, and others minutes. */
const HANGS_MS = 10_000

/**
 * Runs patterns over long texts in a thread. Returns what one of them hangs on for so many ms, and goes on
 * after it.
 */
async function hanging(patterns: readonly Pattern[], hangsMs = HANGS_MS): Promise<string[]> {
  const found: string[] = []
  for (let first = 0; first < patterns.length; ) {
    const worker = new Worker(join(import.meta.dirname, 'pattern-worker.ts'), {
      workerData: patterns.slice(first),
    })
    const stopped = await new Promise<{ index: number; unit: string } | undefined>((resolve, reject) => {
      let last = { index: 0, unit: '' }
      let timer = setTimeout(() => resolve(last), HANGS_MS)
      worker.on('error', reject)
      worker.on('message', (message: { done?: true; index: number; unit: string }) => {
        clearTimeout(timer)
        if (message.done) return resolve(undefined)
        last = message
        timer = setTimeout(() => resolve(last), hangsMs)
      })
    })
    await worker.terminate()
    if (!stopped) break
    const { where, source } = patterns[first + stopped.index]!
    found.push(`${where} on ${JSON.stringify(stopped.unit)}: /${source.slice(0, 80)}/`)
    first += stopped.index + 1
  }
  return found
}

describe('every regular expression that may run on a message', () => {
  it('is linear over 200,000 of one letter, digit, emoji and each of its own characters', async () => {
    const script = join(import.meta.dirname, 'patterns.ts')
    const { stdout, stderr } = spawnSync(process.execPath, [script], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    const all = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Pattern)
    expect(all.length, stderr).toBeGreaterThan(1000)
    const ofMessages = all.filter(({ where }) => !(where.replace(/:\d+$/, '') in SHORT))
    expect(await hanging(ofMessages)).toEqual([])
  })

  it('names a pattern that is not', async () => {
    const bad = { where: 'here', source: '\\w+x', flags: 'g' }
    const fine = { where: 'there', source: 'x', flags: '' }
    // It never ends, and the other two are the fastest there are.
    const slow = await hanging([fine, { ...bad, source: '(?:a+)+b' }, fine], HANGS_MS / 5)
    expect(slow).toEqual(['here on "a": /(?:a+)+b/'])
  })
})
