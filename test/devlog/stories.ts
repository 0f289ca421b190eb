import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { libraryOf } from '../../src/commands/devlog/check.ts'
import { type Checked, checkStory, type FactFinding } from '../../src/devlog/check.ts'
import { citedText, digestOf, markOf } from '../../src/devlog/citation.ts'
import { namesIn } from '../../src/devlog/facts.ts'
import { numbersIn } from '../../src/devlog/numbers.ts'
import { proseOf } from '../../src/devlog/sentences.ts'
import { parseStory } from '../../src/devlog/story.ts'
import type { SourceSession } from '../../src/devlog/turns.ts'
import type { Item, Session } from '../../src/model/session.ts'
import { givenFile } from '../../src/selection/read-targets.ts'
import { shortId } from '../../src/selection/session-names.ts'
import { operationsFor } from '../../src/surfaces/library/operations.ts'
import { readSession as readTranscript } from '../../src/sync/read/read-session.ts'

/** Reads the sessions of the demo's shop, in this thread: the library would start one for each session. */
export async function demoSources(): Promise<SourceSession[]> {
  const { findSessions, readSession, close } = operationsFor({ demo: true, env: {} })
  const { signal } = new AbortController()
  const sources: SourceSession[] = []
  for await (const session of findSessions(signal, { project: 'api', kind: 'all' }))
    sources.push({
      session,
      project: 'api',
      main: session.kind === 'human',
      items: await Array.fromAsync(readSession(signal, session.path, true)),
    })
  close()
  return sources.sort((a, b) => (a.session.startedMs ?? 0) - (b.session.startedMs ?? 0))
}

/** Reads one transcript as if a human had driven it. */
function fileSource(path: string, id: string): SourceSession {
  const { items } = readTranscript(givenFile(path))
  const times = items.flatMap(({ at }) => at ?? [])
  const session = {
    id,
    path,
    platform: 'claude-code',
    agent: 'Claude Code',
    kind: 'human',
    modifiedMs: 0,
    cwds: [],
    human: 0,
    agentMessages: 0,
    toolCalls: 0,
    errors: 0,
    ...(times.length > 0 ? { startedMs: Math.min(...times), lastActivityMs: Math.max(...times) } : {}),
  }
  return { session: session as unknown as Session, project: 'corpus', main: true, items }
}

export const check = (text: string, sources: readonly SourceSession[]): Checked =>
  checkStory(parseStory(text), libraryOf(sources))

const mark = ({ session }: SourceSession, item: Item): string =>
  markOf({ session: session.id, line: item.line, digest: digestOf(citedText(item)) }, shortId)

/** A story of the folder `stories`, whose marks `[^4efda354:1]` name session and line. */
function storyOf(name: string, sources: readonly SourceSession[]): string {
  const text = readFileSync(join(import.meta.dirname, 'stories', name), 'utf8')
  return text.replace(/\[\^([\da-f]{8}):(\d+)\]/g, (whole, short: string, line: string) => {
    const source = sources.find(({ session }) => shortId(session.id) === short)
    const items = source?.items.filter((item) => item.line === Number(line)) ?? []
    const [first] = items.toSorted((a, b) => citedText(b).length - citedText(a).length)
    if (!source || !first) throw new Error(`no record for ${whole}`)
    return mark(source, first)
  })
}

/** A sentence with its mark, and what was changed in it if it is a lie. */
export interface Case {
  text: string
  lie?: 'number' | 'date' | 'file' | 'command' | 'quote' | 'speaker'
}

/** Whether the check finds something in a sentence. */
const isFound = ({ text }: Case, sources: readonly SourceSession[]): FactFinding[] =>
  check(`# x\n\n${text}\n`, sources).findings

/** Numbers from a seed, so that every run has the same cases. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const MOST_PER_SESSION = 30

/**
 * Sentences that others wrote in transcripts, told as they are, quoted, dated, or with a file; and the same
 * with one fact changed. They were not written for the check.
 */
export function casesOf(sources: readonly SourceSession[], seed: number): Case[] {
  const below = random(seed)
  const cases: Case[] = []
  const all = sources.flatMap((source) =>
    source.items
      .filter(({ who, offBranch }) => (who === 'human' || who === 'agent') && !offBranch)
      .map((item) => ({ source, item })),
  )
  const files = [
    ...new Set(
      sources.flatMap(({ items }) =>
        items.flatMap(({ tool }) =>
          tool?.target && /^[\w@./-]+\.\w+$/.test(tool.target) ? tool.target : [],
        ),
      ),
    ),
  ]
  const commands = [
    ...new Set(
      sources.flatMap(({ items }) =>
        items.flatMap(({ tool }) =>
          tool?.name === 'Bash' && tool.target && /^[\w./ -]{6,50}$/.test(tool.target) ? tool.target : [],
        ),
      ),
    ),
  ]
  const quotes = all
    .flatMap(({ item }) => proseOf(item.text).slice(0, 1))
    .filter((each) => each.length > 20 && each.length < 160)
  for (const source of sources) {
    const own = all.filter((each) => each.source === source)
    for (const { item } of own.slice(0, MOST_PER_SESSION)) {
      const note = mark(source, item)
      const who = item.who === 'human' ? 'human' : 'agent'
      const other = who === 'human' ? 'agent' : 'human'
      for (const sentence of proseOf(item.text).slice(0, 2)) {
        if (/["“”«»„]|\[\^/.test(sentence) || sentence.length > 240) continue
        // As the writer's own words.
        cases.push({ text: `${sentence}${note}` })
        const [number] = numbersIn(sentence).filter(({ text }) => /^\d+$/.test(text))
        if (number) {
          const value = number.value + 1 + below(Math.max(3, Math.floor(number.value / 3)))
          const changed =
            sentence.slice(0, number.index) +
            String(value) +
            sentence.slice(number.index + number.text.length)
          cases.push({ text: `${changed}${note}`, lie: 'number' })
        }
        const [name] = namesIn(sentence, false).filter(({ kind }) => kind === 'file' || kind === 'code')
        const wrong = files.length > 1 && files[below(files.length)]!
        if (name && wrong && /[./]/.test(name.text) && !wrong.endsWith(name.text.split('/').at(-1)!))
          cases.push({
            text: `${sentence.replace(name.text, wrong.split('/').slice(-2).join('/'))}${note}`,
            lie: 'file',
          })
        // As a quotation.
        cases.push({ text: `The ${who} wrote: “${sentence}”${note}` })
        cases.push({ text: `The ${other} wrote: “${sentence}”${note}`, lie: 'speaker' })
        const foreign = quotes[below(quotes.length)]!
        if (!citedText(item).includes(foreign.slice(0, 20)))
          cases.push({ text: `The ${who} wrote: “${foreign}”${note}`, lie: 'quote' })
        const words = sentence.split(' ')
        const place = below(words.length)
        if (words.length > 3 && /^\p{L}{3,}$/u.test(words[place]!))
          cases.push({
            text: `The ${who} wrote: “${words.with(place, 'moss').join(' ')}”${note}`,
            lie: 'quote',
          })
      }
      if (item.at !== undefined) {
        const date = new Date(item.at)
        const told = (at: Date): string =>
          new Intl.DateTimeFormat('en', {
            day: 'numeric',
            month: 'long',
            year: 'numeric',
            timeZone: 'UTC',
          }).format(at)
        const time = (at: Date): string => at.toISOString().slice(11, 16)
        cases.push({ text: `On ${told(date)} at ${time(date)}, the ${who} answered.${note}` })
        const later = new Date(item.at + (2 + below(40)) * 86_400_000)
        cases.push({ text: `On ${told(later)}, the ${who} answered.${note}`, lie: 'date' })
        cases.push({
          text: `At ${time(new Date(item.at + (7 + below(200)) * 60_000))}, the ${who} answered.${note}`,
          lie: 'date',
        })
      }
      const index = source.items.indexOf(item)
      const after = source.items.slice(index + 1)
      const next = after.findIndex((each) => each.who === 'human')
      const turn = after.slice(0, next < 0 ? undefined : next)
      const edited = turn.find(({ tool }) => tool?.target && files.includes(tool.target))?.tool?.target
      if (edited && item.who === 'human') {
        cases.push({ text: `So the agent looked at \`${edited.split('/').at(-1)}\`.${note}` })
        const wrong = files[below(files.length)]!
        if (![...turn, item].some((each) => citedText(each).includes(wrong.split('/').at(-1)!)))
          cases.push({ text: `So the agent looked at \`${wrong.split('/').at(-1)}\`.${note}`, lie: 'file' })
      }
      const ran = turn.find(({ tool }) => tool?.target && commands.includes(tool.target))?.tool?.target
      if (ran && item.who === 'human') {
        cases.push({ text: `The agent ran \`${ran}\`.${note}` })
        const wrong = commands[below(commands.length)]!
        if (![...turn, item].some((each) => citedText(each).includes(wrong)))
          cases.push({ text: `The agent ran \`${wrong}\`.${note}`, lie: 'command' })
      }
    }
  }
  return cases
}

export interface Figures {
  lies: Map<string, { found: number; all: number; missed: string[] }>
  honest: { flagged: number; all: number; alarms: string[] }
}

export function measure(cases: readonly Case[], sources: readonly SourceSession[]): Figures {
  const figures: Figures = { lies: new Map(), honest: { flagged: 0, all: 0, alarms: [] } }
  for (const each of cases) {
    const findings = isFound(each, sources)
    if (each.lie === undefined) {
      figures.honest.all++
      if (findings.length > 0) {
        figures.honest.flagged++
        figures.honest.alarms.push(
          `${findings.map(({ kind, what }) => `${kind} ${what}`).join('; ')} | ${each.text}`,
        )
      }
      continue
    }
    const row = figures.lies.get(each.lie) ?? { found: 0, all: 0, missed: [] }
    row.all++
    if (findings.length > 0) row.found++
    else row.missed.push(each.text)
    figures.lies.set(each.lie, row)
  }
  return figures
}

/** How many sentences of a whole story are flagged. */
export function measureStory(name: string, sources: readonly SourceSession[]): Figures {
  const text = storyOf(name, sources)
  const { findings, sentences } = check(text, sources)
  return {
    lies: new Map(),
    honest: {
      flagged: new Set(findings.map(({ line, sentence }) => `${line} ${sentence}`)).size,
      all: sentences.checked,
      alarms: findings.map(({ kind, what, sentence }) => `${kind} ${what} | ${sentence}`),
    },
  }
}

/** Transcripts of a folder of others, at most so many. */
export function corpusSources(corpus: string, most: number): SourceSession[] {
  const files = readdirSync(join(corpus, 'claude-code'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl') && !file.includes('subagents'))
    .sort()
  const sources: SourceSession[] = []
  for (const [index, file] of files.entries()) {
    if (sources.length >= most) break
    const source = fileSource(join(corpus, 'claude-code', file), `c${String(index).padStart(7, '0')}`)
    const human = source.items.filter(({ who }) => who === 'human').length
    if (human >= 2 && source.items.length >= 8) sources.push(source)
  }
  return sources
}
