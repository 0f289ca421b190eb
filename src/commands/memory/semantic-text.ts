import { largest } from '../../model/lists.ts'
import { counted, grouped, homely } from '../../render/table.ts'
import { printable, type Screen } from '../../render/terminal.ts'
import { dated } from '../../render/text.ts'
import { paint } from '../kit/hit-line.ts'
import type { RecallJson } from './recall.ts'
import type { SemanticJson } from './semantic.ts'

/** OpenClaw's name of the model if there are no vectors. */
const NO_VECTORS = 'fts-only'
/** How many names are listed for each kind of change. */
const NAMES = 3
const NOUNS: Readonly<Record<string, string>> = { memory: 'text', sessions: 'session' }

/** One line per agent, below the list of documents. */
export function* semanticLines(semantic: readonly SemanticJson[], screen: Screen): Generator<string> {
  if (semantic.length === 0) return
  yield `\n${paint('bold', 'Semantic memory', screen)}\n`
  const width = largest(semantic.map(({ agent }) => oneLine(agent).length))
  for (const each of semantic) yield `${oneLine(each.agent).padEnd(width)}  ${lineOf(each, screen)}\n`
}

function lineOf(index: SemanticJson, { home }: Screen): string {
  if (index.chunks === 0) return `empty: no chunk in ${oneLine(homely(index.path, home))}`
  const sources = index.sources.map(({ kind, sources: many }) => counted(many, NOUNS[kind] ?? oneLine(kind)))
  const models = index.models.map(({ model }) =>
    model === NO_VECTORS ? 'full text only, no vectors' : oneLine(model),
  )
  const updated = index.updatedAt === null ? [] : `updated ${dated(Date.parse(index.updatedAt)).slice(2)}`
  return [
    `${counted(index.chunks, 'chunk')} of ${sources.join(' and ')}`,
    models.join(', '),
    updated,
    ...freshness(index),
  ]
    .flat()
    .join(' · ')
}

function freshness({ changed, gone, missing, unchecked, sources }: SemanticJson): string[] {
  const lines = [
    ...named('changed since', changed),
    ...named('gone since', gone),
    ...named('not in it', missing),
    ...(unchecked > 0 ? [`${grouped(unchecked)} elsewhere, not compared`] : []),
  ]
  if (lines.length > 0) return lines
  return sources.some(({ kind }) => kind === 'memory') ? ['its texts are unchanged'] : []
}

function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const first = names.slice(0, NAMES).map(oneLine).join(', ')
  return [`${what}: ${first}${names.length > NAMES ? ` and ${grouped(names.length - NAMES)} more` : ''}`]
}

/** The hits with their snippets. */
export function* recallLines({ words, total, hits }: RecallJson, screen: Screen): Generator<string> {
  if (hits.length === 0) {
    yield `No chunk of the semantic memory contains: ${oneLine(words)}\n`
    yield `To search all messages: ${screen.suggest('search', oneLine(words))}\n`
    return
  }
  for (const { agent, name, startLine, endLine, snippet } of hits) {
    const heading = `${oneLine(agent)} · ${oneLine(name)}:${startLine}${endLine > startLine ? `-${endLine}` : ''}`
    yield `${paint('bold', heading, screen)}\n  ${oneLine(snippet)}\n`
  }
  const more = total > hits.length ? `, ${grouped(hits.length)} of them shown: --limit 0 shows all` : ''
  yield `\n${counted(total, 'chunk')}${more}.\n`
}

const oneLine = (text: string): string => printable(text).replace(/\s+/g, ' ').trim()
