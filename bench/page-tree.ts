import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { writeLongConversation } from './conversations.ts'
import { type Million, millionStore } from './million.ts'
import { filesOf, homeOf, reusedFolder, type Setup } from './setup.ts'

/** What the page is measured over. */
export interface PageTree {
  million: Million
  /** The folders of the program: the conversations, the long one, and one that is written to. */
  folders: string[]
  home: string
  /** The id of the long session and its number of messages. */
  long: string
  count: number
  /** The file of a session that goes on. */
  live: string
  liveId: string
}

/** The messages of the long session for each gigabyte of the other tree. */
const MESSAGES = 100_000

/** The conversations of the search benchmark, one long session, and their store. */
export async function pageTree(setup: Setup): Promise<PageTree> {
  const million = await millionStore(setup)
  const count = Math.max(1000, Math.round((MESSAGES * setup.megabytes) / 1000))
  const folder = reusedFolder(`long-conversation-${count}`)
  if (!existsSync(folder)) writeLongConversation(folder, count)
  const long = basename(filesOf(folder)[0]!, '.jsonl')
  const going = reusedFolder('page-live')
  rmSync(going, { recursive: true, force: true })
  const liveId = '0a1b2c3d-1111-4222-8333-000000000077'
  const live = join(going, 'projects/-srv-garden', `${liveId}.jsonl`)
  mkdirSync(dirname(live), { recursive: true })
  writeFileSync(live, liveLine(liveId, 1))
  const folders = [million.tree, folder, going]
  const home = homeOf(`page-${setup.megabytes}`)
  rmSync(home, { recursive: true, force: true })
  cpSync(million.home, home, { recursive: true })
  const others = folders.slice(1).flatMap((each) => ['--claude-dir', each])
  setup.scrollback(million.tree, ['index', ...others], { home })
  return { million, folders, home, long, count, live, liveId }
}

/** A line that a client writes now. */
export const liveLine = (sessionId: string, number: number): string =>
  `${JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd: '/srv/garden',
    sessionId,
    version: '2.1.112',
    type: number % 3 === 1 ? 'user' : 'assistant',
    message:
      number % 3 === 1
        ? { role: 'user', content: `Question ${number} about the moss?` }
        : {
            id: `msg_${number}`,
            role: 'assistant',
            model: 'claude-opus-4-5-20251101',
            content: [{ type: 'text', text: `Answer ${number}. The moss grows on the **north** side.` }],
            usage: { input_tokens: 4, output_tokens: 90 },
          },
    uuid: `0a1b2c3d-1111-4222-8333-${String(number).padStart(12, '0')}`,
    timestamp: new Date().toISOString(),
  })}\n`

/**
 * The same files for a program that reads one folder and lists what its prompt history names. The session
 * with the id `newest` is the newest.
 */
export function peerTree(name: string, folders: readonly string[], newest?: string): string {
  const tree = reusedFolder(`page-peer-${name}`)
  rmSync(tree, { recursive: true, force: true })
  const entries: object[] = []
  for (const folder of folders)
    for (const file of filesOf(folder)) {
      const copy = join(tree, relative(folder, file))
      mkdirSync(dirname(copy), { recursive: true })
      linkSync(file, copy)
      const sessionId = basename(file, '.jsonl')
      const [first = '{}'] = readFileSync(file, 'utf8').split('\n', 1)
      const { cwd, message, timestamp } = JSON.parse(first) as Record<string, string> & {
        message?: { content: unknown }
      }
      const at = sessionId === newest ? Date.now() : Date.parse(timestamp ?? '')
      const display = String(message?.content).slice(0, 200)
      entries.push({ display, timestamp: at || 0, project: cwd, sessionId })
    }
  const history = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  writeFileSync(join(tree, 'history.jsonl'), history)
  if (readdirSync(tree).length < 2) throw new Error('the tree of the other program is empty')
  return tree
}
