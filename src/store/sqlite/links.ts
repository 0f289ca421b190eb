import type { DatabaseSync } from 'node:sqlite'
import type { Dispatch, SentPrompt, SessionLinks } from '../../model/artifact.ts'
import type { ReplyUsage, Usage } from '../../model/event.ts'
import { scriptConfidence } from '../../model/script.ts'
import type { Statement } from '../../model/usage.ts'
import {
  type HeardPrompt,
  type Increment,
  LATEST_MS,
  MOST_ALIKE,
  MOST_PAIRS,
  SLACK_MS,
} from '../increment.ts'
import { prepareWrite } from './database.ts'

const NEAR = `at BETWEEN :at - ${LATEST_MS} AND :at + ${SLACK_MS}`
const FOLLOWS = `at BETWEEN :at - ${SLACK_MS} AND :at + ${LATEST_MS}`

/** What a file says about other sessions. */
type FileLinks = Pick<Increment, 'fresh' | 'fromLine' | 'sent' | 'statements' | 'heard' | 'opening'>

/**
 * Links between sessions: messages that tool calls sent to other agents, the prompts that arrived, and the
 * openings of sessions with a single prompt. Each file writes its own rows and lists in `unlinked` the files
 * they affect. Only the links of those files are updated.
 */
export function createLinkWriter(database: DatabaseSync) {
  const write = (text: string) => prepareWrite(database, text)
  const sql = {
    sent: database.prepare('SELECT line, digest FROM sent WHERE artifact = ? AND line >= ?'),
    addSent: write('INSERT OR REPLACE INTO sent VALUES (:artifact, :line, :digest, :at, :to)'),
    dropSent: database.prepare(
      'DELETE FROM sent WHERE artifact = :artifact AND line = :line AND digest = :digest RETURNING at',
    ),
    hearers: write(
      `INSERT OR IGNORE INTO unlinked SELECT artifact FROM heard WHERE digest = :digest AND ${FOLLOWS}`,
    ),
    heard: database.prepare('SELECT line, place AS "order", digest, at FROM heard WHERE artifact = ?'),
    addHeard: write('INSERT OR REPLACE INTO heard VALUES (:artifact, :line, :order, :digest, :at)'),
    dropHeard: write('DELETE FROM heard WHERE artifact = :artifact AND line = :line AND place = :order'),
    isSent: write(`INSERT OR IGNORE INTO unlinked
      SELECT :artifact WHERE EXISTS (SELECT 1 FROM sent WHERE digest = :digest AND ${NEAR} AND artifact <> :artifact)`),
    templates: database.prepare('SELECT template, whole, at FROM template WHERE artifact = ?'),
    addTemplate: write('INSERT OR REPLACE INTO template VALUES (:artifact, :template, :whole, :at)'),
    dropTemplates: write('DELETE FROM template WHERE artifact = ?'),
    alike: write(
      `INSERT OR IGNORE INTO unlinked SELECT artifact FROM template WHERE template = ? LIMIT ${MOST_ALIKE}`,
    ),
    unlink: write('INSERT OR IGNORE INTO unlinked VALUES (?)'),
    stated: database.prepare('SELECT line, model, sum, used FROM statement WHERE artifact = ? AND line >= ?'),
    addStated: write('INSERT OR REPLACE INTO statement VALUES (?, ?, ?, ?, ?)'),
    dropStated: write('DELETE FROM statement WHERE artifact = ? AND line = ? AND model = ?'),
    forks: write(`INSERT OR IGNORE INTO unlinked SELECT DISTINCT artifact FROM statement
      WHERE sum = ?1 AND EXISTS (SELECT 1 FROM statement WHERE sum = ?1 AND artifact <> ?2)`),
  }

  function sentFrom(artifact: number, fromLine: number, dispatches: readonly Dispatch[]): void {
    const before = new Set(sql.sent.all(artifact, fromLine).map(({ line, digest }) => `${line} ${digest}`))
    for (const { line, digest, at, to } of dispatches) {
      if (at === undefined || before.delete(`${line} ${digest}`)) continue
      sql.addSent.run({ artifact, line, digest, at, to: to ?? null })
      sql.hearers.run({ digest, at })
    }
    for (const key of before) {
      const [line, digest] = key.split(' ').map(Number) as [number, number]
      const dropped = sql.dropSent.get({ artifact, line, digest })
      if (dropped) sql.hearers.run({ digest, at: Number(dropped.at) })
    }
  }

  function heardIn(artifact: number, prompts: readonly HeardPrompt[]): void {
    const before = new Map(
      sql.heard.all(artifact).map(({ line, order, digest, at }) => [`${line} ${order}`, `${digest} ${at}`]),
    )
    for (const { line, order, digest, at } of prompts) {
      const key = `${line} ${order}`
      const same = before.get(key) === `${digest} ${at}`
      before.delete(key)
      if (same) continue
      sql.addHeard.run({ artifact, line, order, digest, at })
      sql.isSent.run({ digest, at, artifact })
    }
    for (const key of before.keys()) {
      const [line, order] = key.split(' ').map(Number) as [number, number]
      sql.dropHeard.run({ artifact, line, order })
    }
  }

  function opensWith(artifact: number, opening: Increment['opening']): void {
    const before = sql.templates.all(artifact)
    const wanted = opening ? opening.templates : []
    const same =
      before.length === wanted.length &&
      before.every((row) => row.whole === opening?.whole && wanted.includes(Number(row.template)))
    if (same) return
    sql.dropTemplates.run(artifact)
    for (const template of wanted)
      sql.addTemplate.run({ artifact, template, whole: opening!.whole, at: opening!.at })
    for (const template of new Set([...before.map((row) => Number(row.template)), ...wanted]))
      sql.alike.run(template)
    sql.unlink.run(artifact)
  }

  /** Stores the usage sums that the agent recorded, and lists the forks they affect. */
  function statedIn(artifact: number, fromLine: number, statements: readonly Statement[]): void {
    const changed = new Set<number>()
    const before = new Map(
      sql.stated.all(artifact, fromLine).map((row) => [`${row.line} ${row.model}`, row] as const),
    )
    for (const { line, sum, model = '', used } of statements) {
      const text = JSON.stringify(used)
      const known = before.get(`${line} ${model}`)
      before.delete(`${line} ${model}`)
      if (known?.used === text && known.sum === sum) continue
      sql.addStated.run(artifact, line, model, sum, text)
      changed.add(sum)
    }
    for (const { line, model, sum } of before.values()) {
      sql.dropStated.run(artifact, line!, model!)
      changed.add(Number(sum))
    }
    for (const sum of changed) sql.forks.run(sum, artifact)
  }

  return {
    write(artifact: number, links: FileLinks): void {
      const from = links.fresh ? 0 : links.fromLine
      sentFrom(artifact, from, links.sent)
      statedIn(artifact, from, links.statements)
      if (!links.heard) return
      heardIn(artifact, links.heard)
      opensWith(artifact, links.opening)
    },
    forget(artifact: number): void {
      sentFrom(artifact, 0, [])
      statedIn(artifact, 0, [])
      heardIn(artifact, [])
      opensWith(artifact, undefined)
      prepareWrite(database, 'DELETE FROM unlinked WHERE artifact = ?').run(artifact)
    },
  }
}

/** Reads which links have to be updated, and computes them. */
export function createLinkReader(database: DatabaseSync) {
  const sql = {
    unlinked: database.prepare('SELECT artifact FROM unlinked'),
    pairs:
      database.prepare(`SELECT h.line AS heard_line, h.digest, h.at, s.line, s.target, s.artifact, a.path, a.platform,
      a.agent, a.session, own.agent AS own_agent
      FROM heard h JOIN artifact own ON own.id = h.artifact
      JOIN sent s ON s.digest = h.digest AND s.at BETWEEN h.at - ${LATEST_MS} AND h.at + ${SLACK_MS} AND s.artifact <> h.artifact
      JOIN artifact a ON a.id = s.artifact AND a.session <> own.session
      WHERE h.artifact = ? ORDER BY h.at, h.line, s.at DESC, a.id LIMIT ${MOST_PAIRS}`),
    templates: database.prepare('SELECT template FROM template WHERE artifact = ?'),
    alike: database.prepare(
      `SELECT artifact, whole, at FROM template WHERE template = ? ORDER BY at LIMIT ${MOST_ALIKE}`,
    ),
    count: database.prepare('SELECT count(*) AS sessions FROM template WHERE template = ?'),
    stated: database.prepare(`SELECT model, sum, used, min(line) FROM statement WHERE artifact = ?
      GROUP BY model ORDER BY model`),
    others: database.prepare(`SELECT s.artifact, s.line, s.used, a.generation FROM statement s
      JOIN artifact a ON a.id = s.artifact AND a.session <> (SELECT session FROM artifact WHERE id = ?1)
      WHERE s.sum = ?2 AND s.model = ?3 ORDER BY s.used ->> '$.cost' DESC, s.artifact, s.line DESC`),
    // If the fork contains the last message before this line, it contains all of them.
    lastBefore: database.prepare(`SELECT message FROM occurrence
      WHERE artifact = ? AND generation = ? AND line < ? ORDER BY line DESC, place DESC LIMIT 1`),
    contains: database.prepare(`SELECT 1 FROM message WHERE id = ?1 AND artifact = ?2 UNION ALL
      SELECT 1 FROM occurrence WHERE message = ?1 AND copy = 1 AND artifact = ?2 LIMIT 1`),
  }

  /** One call sends one prompt to a session. If the same text arrives again later, somebody else typed it. */
  function sentTo(artifact: number): SentPrompt[] {
    const taken = new Set<string>()
    const found = new Map<string, SentPrompt>()
    for (const row of sql.pairs.all(artifact)) {
      const call = `${row.artifact} ${row.line} ${row.digest}`
      const key = `${row.digest} ${row.at}`
      if (found.has(key) || taken.has(call) || !isFor(row)) continue
      taken.add(call)
      found.set(key, {
        digest: Number(row.digest),
        at: Number(row.at),
        by: {
          platform: row.platform as SentPrompt['by']['platform'],
          agent: String(row.agent),
          session: String(row.session),
          path: String(row.path),
          line: Number(row.line),
        },
      })
    }
    return [...found.values()]
  }

  function script(artifact: number): SessionLinks['script'] {
    let best: SessionLinks['script']
    for (const { template } of sql.templates.all(artifact)) {
      const alike = sql.alike.all(template!) as unknown as { at: number; whole: number }[]
      const confidence = scriptConfidence(alike)
      const sessions = Math.max(alike.length, Number(sql.count.get(template!)?.sessions))
      if (confidence > 0 && confidence > (best?.confidence ?? 0)) best = { confidence, sessions }
    }
    return best
  }

  /** The usage that a forked session had already recorded at the fork. */
  const inheritedBy = (artifact: number): ReplyUsage[] =>
    sql.stated.all(artifact).flatMap(({ model, sum, used }) => {
      const most = JSON.parse(String(used)) as Usage
      for (const other of sql.others.all(artifact, sum!, model!)) {
        const last = sql.lastBefore.get(other.artifact!, other.generation!, other.line!)
        if (!last || !sql.contains.get(last.message!, artifact)) continue
        const inherited = JSON.parse(String(other.used)) as Usage
        if ((inherited.cost ?? 0) > (most.cost ?? 0)) continue
        return [{ ...inherited, ...(model === '' ? {} : { model: String(model) }) }]
      }
      return []
    })

  return {
    unlinked: (): number[] => sql.unlinked.all().map(({ artifact }) => Number(artifact)),
    links(artifact: number): SessionLinks | undefined {
      const sent = sentTo(artifact)
      const scripted = script(artifact)
      const inherited = inheritedBy(artifact)
      if (sent.length === 0 && !scripted && inherited.length === 0) return undefined
      return {
        ...(sent.length > 0 && { sent }),
        ...(scripted && { script: scripted }),
        ...(inherited.length > 0 && { inherited }),
      }
    },
  }
}

/** A call that names its agent reached no other one. */
const isFor = ({ target, own_agent: agent }: Record<string, unknown>): boolean =>
  target === null || target === agent
