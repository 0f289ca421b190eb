import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dynamicsOf } from '../../src/devlog/dynamics.ts'
import { DYNAMIC_KINDS, type DynamicKind } from '../../src/devlog/evidence.ts'
import { callsOf, type SourceSession, turnsOf } from '../../src/devlog/turns.ts'
import { finish } from '../../src/model/iteration.ts'
import type { Item, Session } from '../../src/model/session.ts'
import { givenFile } from '../../src/selection/read-targets.ts'
import { readSession } from '../../src/sync/read/read-session.ts'

/** An invented transcript: `H:` human, `A:` agent, `T:` tool, `E:` error; `T*12:` is twelve calls. */
interface Labelled {
  talk: string[]
  /** Kinds by the position at which they begin, separated by spaces. */
  labels: Record<string, string>
}

/** The figures of one kind. */
export interface Figures {
  kind: DynamicKind
  labelled: number
  found: number
  right: number
  precision: number
  recall: number
}

/** A span that was labelled and not found, or found and not labelled. */
interface Miss {
  file: string
  kind: string
  text: string
  why: 'missed' | 'wrong'
}

const folder = join(import.meta.dirname, 'labelled')

/** A transcript as the rules see it. Line 10 n holds the n-th entry. */
export function sourceOf(talk: readonly string[], id = 'labelled'): SourceSession {
  const items: Item[] = []
  const start = Date.UTC(2026, 0, 5, 9)
  for (const [index, entry] of talk.entries()) {
    const [, letter, times = '1', rest = ''] = /^([HATE])(?:\*(\d+))?: ?(.*)$/s.exec(entry)!
    for (let n = 0; n < Number(times); n++) {
      const line = (index + 1) * 100 + n
      const base = { line, offset: line, length: 1, order: 0, at: start + line * 1000 }
      const [name = '', ...target] = rest.split(' ')
      if (letter === 'T')
        items.push({ ...base, who: 'tool', tool: { name, target: target.join(' ') }, callId: `c${line}` })
      else if (letter === 'E')
        items.push({ ...base, who: 'error', text: rest, callId: items.at(-1)!.callId, sure: true })
      else items.push({ ...base, who: letter === 'H' ? 'human' : 'agent', text: rest })
    }
  }
  const session = {
    id,
    path: `/${id}.jsonl`,
    kind: 'human',
    platform: 'claude-code',
    agent: 'Claude Code',
    modifiedMs: start,
    startedMs: start,
    cwds: [] as Session['cwds'],
  } as unknown as Session
  return { session, project: undefined, main: true, items }
}

/** The positions and kinds that the rules find. */
export function foundIn(talk: readonly string[]): Set<string> {
  const source = sourceOf(talk)
  const dynamics = finish(dynamicsOf({ source, turns: turnsOf(source), calls: callsOf(source) }))
  return new Set(dynamics.map(({ kind, citations }) => `${Math.floor(citations[0]!.line / 100) - 1} ${kind}`))
}

/** The findings in real transcripts that were judged by hand. */
interface Judged {
  file: string
  line: number
  kind: DynamicKind
  right: boolean
}

/** Counts the judged findings that the rules still make in the corpus, and how many of them are right. */
export function measureJudged(corpus: string): Map<DynamicKind, { found: number; right: number }> {
  const judged = JSON.parse(readFileSync(join(import.meta.dirname, 'judged.json'), 'utf8')) as Judged[]
  const counts = new Map<DynamicKind, { found: number; right: number }>()
  for (const file of new Set(judged.map((each) => each.file))) {
    const path = join(corpus, file)
    const { items } = readSession(givenFile(path))
    const session = { id: file, path, kind: 'human', modifiedMs: 0 } as Session
    const source: SourceSession = { session, project: undefined, main: true, items }
    const dynamics = finish(dynamicsOf({ source, turns: turnsOf(source), calls: callsOf(source) }))
    for (const { line, kind, right } of judged.filter((each) => each.file === file)) {
      if (!dynamics.some((each) => each.kind === kind && each.citations[0]!.line === line)) continue
      const count = counts.get(kind) ?? { found: 0, right: 0 }
      counts.set(kind, { found: count.found + 1, right: count.right + (right ? 1 : 0) })
    }
  }
  return counts
}

/** Compares the rules with the labels of one half of the set, or of both. */
export function measure(half: 'dev' | 'held-out' | 'all'): { figures: Figures[]; misses: Miss[] } {
  const names = readdirSync(folder).filter((name) => half === 'all' || name.startsWith(half))
  const counts = new Map<string, { labelled: number; found: number; right: number }>(
    DYNAMIC_KINDS.map((kind) => [kind, { labelled: 0, found: 0, right: 0 }]),
  )
  const misses: Miss[] = []
  for (const file of names)
    for (const { talk, labels } of JSON.parse(readFileSync(join(folder, file), 'utf8')) as Labelled[]) {
      const wanted = new Set(
        Object.entries(labels).flatMap(([at, kinds]) => kinds.split(' ').map((kind) => `${at} ${kind}`)),
      )
      const found = foundIn(talk)
      const missed = (key: string, why: Miss['why']): void => {
        const [at, kind = ''] = key.split(' ')
        misses.push({ file, kind, text: talk[Number(at)]!, why })
      }
      for (const key of wanted) {
        const count = counts.get(key.split(' ')[1]!)!
        count.labelled++
        if (found.has(key)) count.right++
        else missed(key, 'missed')
      }
      for (const key of found) {
        counts.get(key.split(' ')[1]!)!.found++
        if (!wanted.has(key)) missed(key, 'wrong')
      }
    }
  const figures = [...counts].map(([kind, { labelled, found, right }]) => ({
    kind: kind as DynamicKind,
    labelled,
    found,
    right,
    precision: found === 0 ? 1 : right / found,
    recall: labelled === 0 ? 1 : right / labelled,
  }))
  return { figures, misses }
}
