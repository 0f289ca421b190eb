import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Draft } from '../../src/devlog/draft/document.ts'
import { draftOf } from '../../src/devlog/draft/styles.ts'
import type { Evidence } from '../../src/devlog/evidence/evidence.ts'
import { gather } from '../../src/devlog/evidence/gather.ts'
import type { Material } from '../../src/devlog/facts/material.ts'
import type { SourceSession } from '../../src/devlog/source.ts'
import { textsOf } from '../../src/devlog/writer/texts.ts'
import type { Session } from '../../src/model/session.ts'
import { findSessions, readSession } from '../../src/surfaces/library/read-session.ts'

/** A project with its evidence, its draft, and what texts about it are checked against. */
export interface ProjectCase {
  sources: SourceSession[]
  evidence: Evidence
  draft: Draft
  draftText: string
  material: Material
}

/** Reads the sessions of the demo's shop. */
export async function demoSources(): Promise<SourceSession[]> {
  const sources: SourceSession[] = []
  for await (const session of findSessions({ demo: true, project: 'api', kind: 'all' }))
    sources.push({
      ...{ session, project: 'api', main: session.kind === 'human' },
      items: await Array.fromAsync(readSession(session.path)),
    })
  return sources.sort((a, b) => (a.session.startedMs ?? 0) - (b.session.startedMs ?? 0))
}

/** Reads one transcript as if a human had driven it. */
export async function fileSource(path: string): Promise<SourceSession> {
  const items = await Array.fromAsync(readSession(path))
  const session = { id: 'corpus00', path, platform: '', agent: '', kind: 'human', modifiedMs: 0 }
  return { session: session as unknown as Session, project: 'corpus', main: true, items }
}

/** Gathers the evidence and makes the draft, as the command does. */
export function caseOf(sources: SourceSession[], project: string): ProjectCase {
  const count = sources.reduce((sum, { items }) => sum + items.length, 0)
  const evidence = gather(sources, {
    ...{ project, topic: null },
    coverage: {
      sessions: { used: sources.length, fitting: sources.length, seen: sources.length },
      ...{ items: { read: count, there: count }, duplicates: 0 },
    },
  })
  const draft = draftOf(evidence, 'log', 'neutral')
  const { material, draft: draftText } = textsOf({ evidence, draft, sources, voice: 'neutral' })
  return { sources, evidence, draft, draftText, material }
}

/** A story with citations such as `[^4efda354:1]`, which become the numbers of the footnotes. */
export function storyOf(name: string, { records }: Material): string {
  const text = readFileSync(join(import.meta.dirname, 'stories', name), 'utf8')
  return text.replace(/\[\^([\da-f]{8}):(\d+)\]/g, (mark, session: string, line: string) => {
    const found = [...records.values()].filter(
      ({ citation }) => citation.session.startsWith(session) && citation.line === Number(line),
    )
    const [first] = found.sort((a, b) => b.text.length - a.text.length)
    if (!first) throw new Error(`no footnote for ${mark}`)
    return `[^${first.number}]`
  })
}
