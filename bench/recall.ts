/**
 * Recall: questions with the sessions that answer them. Ours are in `bench/recall/`, written by somebody who
 * did not know the ranking. `--locomo <folder>` also measures the public set LoCoMo, whose texts are not part
 * of this project: the folder has its `locomo10.json`. Each set is measured by words, and then by words and
 * meaning, with the encoder of `encoder.ts`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Found } from '../src/commands/search/ask.ts'
import { MODEL, startEncoder } from './encoder.ts'
import { createReport } from './report.ts'
import { homeOf, reusedFolder, type Setup } from './setup.ts'
import { openWarm } from './warm.ts'

/** A session: who said what, one after the other. */
interface Told {
  id: string
  project: string
  /** When it began, in ms. */
  at: number
  messages: { who: 'human' | 'agent'; text: string }[]
}

interface Question {
  /** Such as `keywords` or `paraphrase`. */
  kind: string
  question: string
  project: string
  /** The ids of the sessions that answer it: each of them does. Empty if none does. */
  sessions: string[]
}

interface RecallSet {
  name: string
  sessions: Told[]
  questions: Question[]
}

interface Recall {
  first: number
  amongFive: number
  nothing: number
  /** Milliseconds of each question. */
  times: number[]
}

/** The goals of a set, in percent. */
interface Goals {
  first: number
  amongFive: number
}

/** Goals of the public set. */
const LOCOMO: Goals = { first: 68, amongFive: 91 }
const MEANING: Goals = { first: 75, amongFive: 93 }
const NO_GOALS: Goals = { first: 0, amongFive: 0 }
const MINUTE = 60_000
/** Sessions of a quick run, which are about questions of every kind. */
const FEW = 10

export async function measureRecall(
  { scrollback }: Setup,
  { locomo, quick }: { locomo?: string; quick: boolean },
): Promise<void> {
  const report = createReport('finding what was meant')
  const encoder = await startEncoder()
  await measure(quick ? firstOf(ownSet()) : ownSet(), { words: NO_GOALS, meaning: NO_GOALS })
  if (locomo === undefined) report.skip('the public set LoCoMo', 'name its folder with --locomo')
  else await measure(locomoSet(locomo), { words: LOCOMO, meaning: MEANING })
  await encoder.close()
  report.print()

  async function measure(set: RecallSet, goals: { words: Goals; meaning: Goals }): Promise<void> {
    const tree = reusedFolder(`recall-${set.name}`)
    const home = homeOf(tree)
    for (const old of [tree, home]) rmSync(old, { recursive: true, force: true })
    for (const session of set.sessions) write(tree, session)
    scrollback(tree, ['index'], { home })
    const many = `${set.name}, ${set.questions.length} questions over ${set.sessions.length} sessions`
    addRanks(many, await asked(set, tree, home), goals.words, 40)
    await addHook(many, set, tree, home)
    scrollback(tree, ['meaning', 'on', '--endpoint', encoder.endpoint, '--model', MODEL], { home })
    const began = performance.now()
    scrollback(tree, ['index'], { home })
    const messages = set.sessions.reduce((sum, session) => sum + session.messages.length, 0)
    const each = (performance.now() - began) / messages
    addRanks(`${many}, with meaning`, await asked(set, tree, home), goals.meaning, 300)
    report.add(`${many}: a vector`, each, { unit: 'ms' }, `${MODEL} on a processor, with the encoder`)
  }

  function addRanks(many: string, kinds: ReadonlyMap<string, Recall>, goals: Goals, slowest: number): void {
    const all = kinds.get('all')!
    report.add(
      `${many}: the right session first`,
      share(all.first, all),
      percent(goals.first),
      detail(kinds, 'first'),
    )
    report.add(
      `${many}: among five`,
      share(all.amongFive, all),
      percent(goals.amongFive),
      detail(kinds, 'amongFive'),
    )
    report.add(`${many}: nothing found`, all.nothing, { most: 0, unit: '' }, '')
    const times = all.times.toSorted((one, other) => one - other)
    const goal = { most: slowest, unit: 'ms' }
    report.add(`${many}: p95`, times[Math.floor(times.length * 0.95)]!, goal, 'warm')
  }

  async function addHook(many: string, set: RecallSet, tree: string, home: string): Promise<void> {
    const program = openWarm(tree, home)
    let [right, told] = [0, 0]
    for (const { question, sessions } of set.questions) {
      const session = await program.recall(question)
      if (session !== null) told++
      if (session !== null && sessions.includes(session)) right++
    }
    program.close()
    report.add(
      `${many}: what the hook for prompts tells is right`,
      (100 * right) / Math.max(1, told),
      percent(90),
      `it tells something for ${told} of them, over all projects`,
    )
  }
}

/** Asks all questions that some session answers, each within its project. */
async function asked(set: RecallSet, tree: string, home: string): Promise<ReadonlyMap<string, Recall>> {
  const program = openWarm(tree, home)
  const kinds = new Map<string, Recall>()
  for (const each of set.questions) {
    if (each.sessions.length === 0) continue
    const { found, answered } = await program.ask(`${plain(each.question)} project:${each.project}`)
    for (const kind of ['all', each.kind]) count(kinds, kind, sessionsOf(found), each, answered)
  }
  program.close()
  return kinds
}

const percent = (least: number) => ({ unit: '%', ...(least > 0 && { least }) })

const share = (count: number, { times }: Recall): number => (100 * count) / times.length

const detail = (kinds: ReadonlyMap<string, Recall>, which: 'first' | 'amongFive'): string =>
  [...kinds]
    .flatMap(([kind, recall]) =>
      kind === 'all' ? [] : [`${kind} ${Math.round(share(recall[which], recall))}`],
    )
    .join(', ')

function count(
  kinds: Map<string, Recall>,
  kind: string,
  sessions: readonly string[],
  { sessions: right }: Question,
  time: number,
): void {
  const recall = kinds.get(kind) ?? { first: 0, amongFive: 0, nothing: 0, times: [] }
  kinds.set(kind, recall)
  const rank = sessions.findIndex((id) => right.includes(id))
  if (rank === 0) recall.first++
  if (rank >= 0 && rank < 5) recall.amongFive++
  if (sessions.length === 0) recall.nothing++
  recall.times.push(time)
}

const sessionsOf = ({ answer, limit }: Found): string[] => [
  ...new Set(
    Iterator.from(answer.hits)
      .take(limit)
      .map(({ session }) => session),
  ),
]

/** Without marks that are syntax. */
const plain = (question: string): string => question.replace(/["“”():?!|]/g, ' ').replace(/(^|\s)-+/g, '$1')

/** The sessions and questions of this folder. */
function ownSet(): RecallSet {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(import.meta.dirname, 'recall', name), 'utf8'))
  const sessions = read('sessions.json') as {
    id: string
    project: string
    at: string
    messages: [who: 'human' | 'agent', text: string][]
  }[]
  const ids = new Map(sessions.map(({ id }, index) => [id, uuidOf(0xa000 + index)]))
  return {
    name: 'invented',
    sessions: sessions.map(({ id, project, at, messages }) => ({
      ...{ id: ids.get(id)!, project, at: Date.parse(at) },
      messages: messages.map(([who, text]) => ({ who, text })),
    })),
    questions: (read('questions.json') as Question[]).map((each) => ({
      ...each,
      sessions: each.sessions.map((id) => ids.get(id)!),
    })),
  }
}

/** The first sessions, with the questions about nothing else. */
function firstOf({ name, sessions, questions }: RecallSet): RecallSet {
  const first = sessions.slice(0, FEW)
  const ids = new Set(first.map(({ id }) => id))
  return {
    name,
    sessions: first,
    questions: questions.filter(({ sessions }) => sessions.every((id) => ids.has(id))),
  }
}

/** LoCoMo's form: dated sessions of two people, and questions with the ids of turns as evidence. */
interface Conversation {
  sample_id: string
  conversation: Record<string, unknown> & { speaker_a: string }
  qa: { question: string; category: number; evidence?: string[] }[]
}

const CATEGORIES = ['', 'several sessions', 'time', 'inference', 'one session']

function locomoSet(folder: string): RecallSet {
  const file = join(folder, 'locomo10.json')
  if (!existsSync(file)) throw new Error(`--locomo: ${file} does not exist`)
  const set: RecallSet = { name: 'LoCoMo', sessions: [], questions: [] }
  const conversations = JSON.parse(readFileSync(file, 'utf8')) as Conversation[]
  for (const [index, { sample_id, conversation, qa }] of conversations.entries()) {
    const project = `locomo${sample_id.replace(/\D/g, '')}`
    const ids = new Map<string, string>()
    for (let number = 1; Array.isArray(conversation[`session_${number}`]); number++) {
      const turns = conversation[`session_${number}`] as { speaker: string; text: string }[]
      const id = uuidOf(0x10000 * (index + 1) + number)
      ids.set(`D${number}`, id)
      set.sessions.push({
        ...{ id, project, at: timeOf(String(conversation[`session_${number}_date_time`] ?? '')) },
        messages: turns.map(({ speaker, text }) => ({
          who: speaker === conversation.speaker_a ? 'human' : 'agent',
          text: `${speaker}: ${text}`,
        })),
      })
    }
    for (const { question, category, evidence = [] } of qa) {
      const sessions = evidence.flatMap((turn) => ids.get(turn.split(':')[0]!) ?? [])
      const kind = CATEGORIES[category]
      if (kind && sessions.length > 0) set.questions.push({ kind, question, project, sessions })
    }
  }
  return set
}

/** `1:56 pm on 8 May, 2023` */
function timeOf(text: string): number {
  const [, time, day] = /^(.*?) on (.*)$/.exec(text) ?? []
  return Date.parse(`${day} ${time} UTC`) || Date.UTC(2023, 0, 1)
}

const uuidOf = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

/** Writes a session as a transcript of Claude Code. */
function write(tree: string, { id, project, at, messages }: Told): void {
  const cwd = `/home/ann/${project}`
  const folder = join(tree, 'projects', cwd.replaceAll('/', '-'))
  mkdirSync(folder, { recursive: true })
  let parentUuid: string | null = null
  const lines = messages.map(({ who, text }, index) => {
    const uuid = `${id.slice(-8)}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
    const type = who === 'human' ? 'user' : 'assistant'
    const message =
      who === 'human'
        ? { role: type, content: text }
        : { id: `msg_${uuid}`, role: type, model: 'invented', content: [{ type: 'text', text }] }
    const timestamp = new Date(at + index * MINUTE).toISOString()
    const line = { parentUuid, uuid, timestamp, sessionId: id, cwd, type, message }
    parentUuid = uuid
    return JSON.stringify(line)
  })
  const path = join(folder, `${id}.jsonl`)
  writeFileSync(path, `${lines.join('\n')}\n`)
  utimesSync(path, at / 1000, at / 1000)
}
