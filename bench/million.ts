import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { writeConversations } from './conversations.ts'
import { homeOf, reusedFolder, type Setup } from './setup.ts'
import { indexAnswerOf } from './store.ts'

/** A store of very many messages. */
export interface Million {
  tree: string
  home: string
  made: Made
}

interface Made {
  messages: number
  bytes: number
  transcriptBytes: number
  /** Time and memory of the first index. */
  seconds: number
  megabytes: number
  /** A hash of all code that determines the rows. */
  code: string
}

/** The number of messages for each gigabyte of the other tree. */
const MESSAGES = 1_000_000

/**
 * The conversations and their store. They are reused between runs and rebuilt when the code that writes,
 * reads or indexes them has changed, whatever the version numbers.
 */
export async function millionStore({ megabytes, scrollback }: Setup): Promise<Million> {
  const messages = Math.round((MESSAGES * megabytes) / 1000)
  const tree = reusedFolder(`conversations-${messages}`)
  const written = join(tree, 'written-by')
  const writer = await codeOf(
    `import { writeConversations } from './bench/conversations.ts'; writeConversations()`,
  )
  if (!existsSync(written) || readFileSync(written, 'utf8') !== writer) {
    writeConversations(tree, messages)
    rmSync(homeOf(tree), { recursive: true, force: true })
    writeFileSync(written, writer)
  }
  const home = homeOf(tree)
  const marker = join(home, 'made.json')
  const code = await codeOf(`
    import { refresh } from './src/sync/refresh.ts'
    import { createWriter } from './src/store/sqlite/writer.ts'
    import { createTables } from './src/store/sqlite/schema.ts'
    console.log(refresh, createWriter, createTables)`)
  if (existsSync(marker)) {
    const made = JSON.parse(readFileSync(marker, 'utf8')) as Made
    if (made.code === code) return { tree, home, made }
  }
  process.stderr.write(`Indexing ${messages} messages\n`)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  const first = scrollback(tree, ['index', '--json'], { keep: true, home })
  const { store } = indexAnswerOf(first)
  const { bytes, transcriptBytes } = store
  const made: Made = {
    messages: store.messages,
    bytes,
    transcriptBytes,
    seconds: first.seconds,
    megabytes: first.megabytes!,
    code,
  }
  writeFileSync(marker, JSON.stringify(made, null, 2))
  return { tree, home, made }
}

/** A hash of a program with all of its imports. Comments and formatting do not count. */
async function codeOf(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.', loader: 'ts' },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'node',
  })
  return createHash('sha256').update(outputFiles[0]!.contents).digest('hex')
}
