/** Delivery: speed, memory, the cost of a run without new records, and latency. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { generateTree } from './generate.ts'
import { bestInTurn, type Measured, run, runsOf } from './measure.ts'
import { idleShare } from './page-server.ts'
import { processOf } from './process.ts'
import { createReport } from './report.ts'
import { answers, bytesIn, filesOf, homeOf, node, oneFileTree, reusedFolder, type Setup } from './setup.ts'

const IDLE_MS = 20_000
const LATE_MS = 20_000
const LINES = 5

export async function measureCollect(setup: Setup): Promise<void> {
  const { tree, many, manyFiles, megabytes, scrollback, program } = setup
  const report = createReport('delivering')
  const size = megabytes >= 1000 ? `${megabytes / 1000} GB` : `${megabytes} MB`
  const collect = ['collect', '--history', 'all']
  /** Into an empty archive. */
  const anew = (folder: string, ...more: string[]): Measured => {
    rmSync(homeOf(folder), { recursive: true, force: true })
    return scrollback(folder, [...collect, ...more])
  }
  const anewTimed = (...more: string[]): Measured => {
    rmSync(homeOf(tree), { recursive: true, force: true })
    return scrollback(tree, [...collect, ...more], { processor: true })
  }
  const packed = reusedFolder('packed.zst')
  const zstd = (folder: string) => (): Measured =>
    run('sh', [
      '-c',
      `find "${folder}" -name '*.jsonl' -print0 | sort -z | xargs -0 cat | zstd -q -3 -T${availableParallelism()} -f -o "${packed}"`,
    ])

  const what = `\`collect file:\` of ${size}, secrets taken out, time against \`zstd -3 -T${availableParallelism()}\``
  const packs = answers('zstd')
  const sides = packs
    ? bestInTurn(3, { ours: () => anew(tree), theirs: zstd(tree) })
    : bestInTurn(3, { ours: () => anew(tree) })
  if ('theirs' in sides) {
    report.slower(what, sides.ours, sides.theirs as Measured, { most: 4 })
    report.add(
      `the archive, against the same packed by \`zstd\``,
      bytesIn(join(homeOf(tree), 'archive')) / bytesOf(packed),
      {},
      '',
    )
  } else report.skip(what, 'there is no zstd on this machine')
  report.add(`peak memory of it`, sides.ours.megabytes!, { most: 200, unit: 'MB' }, '')
  nothingNew()
  oneLine()
  await overHttp()
  await idle()
  report.print()

  function nothingNew(): void {
    anew(many)
    scrollback(many, collect)
    const { ours, find, start } = bestInTurn(5, {
      ours: () => scrollback(many, collect),
      find: () => run('find', [many, '-printf', '%s %T@ %p\\n']),
      start: () => run(node, ['-e', '0']),
    })
    const theirs = { seconds: find.seconds + start.seconds }
    report.slower(
      `\`collect\` over ${manyFiles} with nothing new, time against \`find -printf\` and \`node -e 0\``,
      ours,
      theirs,
      {},
    )
  }

  function oneLine(): void {
    const grown = oneFileTree(setup)
    // The first file of a tree is small: about a twelfth of the requested size.
    if (!existsSync(grown)) generateTree(grown, 560, 1)
    const whole = anew(grown)
    scrollback(grown, collect)
    appendFileSync(filesOf(grown)[0]!, lineOf(grown))
    const { seconds } = scrollback(grown, collect)
    report.add(
      '`collect` of one more line of a file of 50 MB, against all of it',
      seconds / whole.seconds,
      {},
      `${seconds.toFixed(2)} s against ${whole.seconds.toFixed(2)} s`,
    )
  }

  /** The receiver is a separate process that writes to the same disk. */
  async function overHttp(): Promise<void> {
    const { child, address, token } = await receiver()
    const over = `\`collect\` of ${size} over HTTP to \`receive\` on loopback`
    try {
      const receiver = processOf(child)
      const before = receiver.seconds()
      // Once only: the receiver knows the records then.
      const http = anewTimed(address, '--token-file', token)
      const receiving = receiver.seconds() - before
      const file = anewTimed()
      report.slower(`${over}, time against \`file:\``, http, file, { most: 2 })
      const both = { ...http, processor: http.processor! + receiving }
      report.costlier(`${over}, processor time of both against \`file:\``, both, file, {})
      await soon(address, token)
    } finally {
      await ended(child)
    }
  }

  async function soon(address: string, token: string): Promise<void> {
    const grown = oneFileTree(setup)
    rmSync(homeOf(grown), { recursive: true, force: true })
    scrollback(grown, ['collect', address, '--token-file', token, '--history', 'none'])
    const child = watching(grown, [address, '--token-file', token])
    const output = child.stderr![Symbol.asyncIterator]()
    await output.next()
    await pass(2000)
    const waits: number[] = []
    for (let each = 0; each < runsOf(LINES); each++) {
      const began = performance.now()
      appendFileSync(filesOf(grown)[0]!, lineOf(grown))
      await Promise.race([output.next(), pass(LATE_MS)])
      waits.push(performance.now() - began)
      await pass(1000)
    }
    await ended(child)
    report.add(
      'a line, from being written to being kept by `receive`, `--watch`',
      Math.max(...waits) / 1000,
      { most: 1, unit: 's' },
      `the latest of ${runsOf(LINES)}`,
    )
  }

  async function idle(): Promise<void> {
    const child = watching(many, [])
    const idleMs = Math.max(2000, setup.scaled(IDLE_MS))
    await pass(5000)
    const share = await idleShare(processOf(child), idleMs / 1000)
    await ended(child)
    report.add(
      `\`collect --watch\` over ${manyFiles} while nothing happens, of a core`,
      share,
      { most: 0.5, unit: '%' },
      `${idleMs / 1000} s`,
    )
  }

  function watching(folder: string, more: string[]): ChildProcess {
    return spawn(node, [program, 'collect', ...more, '--watch', '--claude-dir', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, SCROLLBACK_HOME: homeOf(folder) },
    })
  }

  async function receiver(): Promise<{ child: ChildProcess; address: string; token: string }> {
    const home = reusedFolder('home-of-receiver')
    rmSync(home, { recursive: true, force: true })
    const child = spawn(node, [program, 'receive', `file:${join(home, 'received')}`, '--port', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, SCROLLBACK_HOME: home },
    })
    const pieces = child.stderr!.setEncoding('utf8')[Symbol.asyncIterator]()
    for (let said = ''; ; ) {
      const { value, done } = (await pieces.next()) as IteratorResult<string>
      if (done) throw new Error(`no receiver: ${said}`)
      said += value
      const [, address, token] = /collect (http\S+) --token-file (\S+)/.exec(said) ?? []
      if (address && token) return { child, address, token }
    }
  }
}

const lineOf = (tree: string): string =>
  `${JSON.stringify({
    type: 'user',
    uuid: crypto.randomUUID(),
    sessionId: basename(filesOf(tree)[0]!, '.jsonl'),
    message: { role: 'user', content: 'one more line' },
    timestamp: new Date().toISOString(),
  })}\n`

const bytesOf = (path: string): number => readFileSync(path).length

async function ended(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  child.stderr?.resume()
  await closed
}
