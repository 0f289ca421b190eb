import type { DatabaseSync } from 'node:sqlite'
import { scriptConfidence } from '../../model/script-confidence.ts'
import type { Dispatch, SentPrompt, SessionLinks } from '../../model/session-links.ts'
import type { HeardPrompt, Increment } from '../store.ts'

/** A prompt comes so long after the call that sent it, at most: its agent may be busy. Clocks of one machine differ by no more. */
const LATEST_MS = 15 * 60_000
const SLACK_MS = 2000
/** Of one file, with the calls that may have sent its prompts. */
const MOST_PAIRS = 5000
/** So many sessions that open alike are looked at; with more of them one more changes nothing. */
const MOST_ALIKE = 60

const NEAR = `at BETWEEN ?2 - ${LATEST_MS} AND ?2 + ${SLACK_MS}`
const FOLLOWS = `at BETWEEN ?2 - ${SLACK_MS} AND ?2 + ${LATEST_MS}`

/**
 * What sessions tell of each other: words that calls gave to other agents, prompts that came, and how sessions open that hold one
 * prompt only. Each file brings and takes its own rows, and names with them the files they concern: only those are linked anew.
 */
export function createLinkWriter(database: DatabaseSync) {
  const sql = {
    sent: database.prepare('SELECT line, digest FROM sent WHERE artifact = ? AND line >= ?'),
    addSent: database.prepare('INSERT OR REPLACE INTO sent VALUES (?, ?, ?, ?, ?)'),
    dropSent: database.prepare(
      'DELETE FROM sent WHERE artifact = ? AND line = ? AND digest = ? RETURNING at',
    ),
    hearers: database.prepare(
      `INSERT OR IGNORE INTO unlinked SELECT artifact FROM heard WHERE digest = ?1 AND ${FOLLOWS}`,
    ),
    heard: database.prepare('SELECT line, place, digest, at FROM heard WHERE artifact = ?'),
    addHeard: database.prepare('INSERT OR REPLACE INTO heard VALUES (?, ?, ?, ?, ?)'),
    dropHeard: database.prepare('DELETE FROM heard WHERE artifact = ? AND line = ? AND place = ?'),
    isSent: database.prepare(`INSERT OR IGNORE INTO unlinked
      SELECT ?3 WHERE EXISTS (SELECT 1 FROM sent WHERE digest = ?1 AND ${NEAR} AND artifact <> ?3)`),
    templates: database.prepare('SELECT template, whole, at FROM template WHERE artifact = ?'),
    addTemplate: database.prepare('INSERT OR REPLACE INTO template VALUES (?, ?, ?, ?)'),
    dropTemplates: database.prepare('DELETE FROM template WHERE artifact = ?'),
    alike: database.prepare(
      `INSERT OR IGNORE INTO unlinked SELECT artifact FROM template WHERE template = ? LIMIT ${MOST_ALIKE}`,
    ),
    unlink: database.prepare('INSERT OR IGNORE INTO unlinked VALUES (?)'),
  }

  function sentFrom(artifact: number, fromLine: number, dispatches: readonly Dispatch[]): void {
    const before = new Set(sql.sent.all(artifact, fromLine).map(({ line, digest }) => `${line} ${digest}`))
    for (const { line, digest, at, to } of dispatches) {
      if (at === undefined || before.delete(`${line} ${digest}`)) continue
      sql.addSent.run(artifact, line, digest, at, to ?? null)
      sql.hearers.run(digest, at)
    }
    for (const key of before) {
      const [line, digest] = key.split(' ').map(Number) as [number, number]
      const dropped = sql.dropSent.get(artifact, line, digest)
      if (dropped) sql.hearers.run(digest, Number(dropped.at))
    }
  }

  function heardIn(artifact: number, prompts: readonly HeardPrompt[]): void {
    const before = new Map(
      sql.heard.all(artifact).map(({ line, place, digest, at }) => [`${line} ${place}`, `${digest} ${at}`]),
    )
    for (const { line, place, digest, at } of prompts) {
      const key = `${line} ${place}`
      const same = before.get(key) === `${digest} ${at}`
      before.delete(key)
      if (same) continue
      sql.addHeard.run(artifact, line, place, digest, at)
      sql.isSent.run(digest, at, artifact)
    }
    for (const key of before.keys()) {
      const [line, place] = key.split(' ').map(Number) as [number, number]
      sql.dropHeard.run(artifact, line, place)
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
    for (const template of wanted) sql.addTemplate.run(artifact, template, opening!.whole, opening!.at)
    for (const template of new Set([...before.map((row) => Number(row.template)), ...wanted]))
      sql.alike.run(template)
    sql.unlink.run(artifact)
  }

  return {
    write(artifact: number, { fresh, fromLine, sent, heard, opening }: Increment): void {
      sentFrom(artifact, fresh ? 0 : fromLine, sent)
      if (!heard) return
      heardIn(artifact, heard)
      opensWith(artifact, opening)
    },
    forget(artifact: number): void {
      sentFrom(artifact, 0, [])
      heardIn(artifact, [])
      opensWith(artifact, undefined)
      database.prepare('DELETE FROM unlinked WHERE artifact = ?').run(artifact)
    },
  }
}

/** What is linked anew, and with what. */
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
  }

  /** A call sends one prompt to a session: who says the same again later says it himself. */
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
      const alike = sql.alike
        .all(template!)
        .map(({ at, whole }) => ({ at: Number(at), whole: Number(whole) }))
      const confidence = scriptConfidence(alike)
      const sessions = Math.max(alike.length, Number(sql.count.get(template!)?.sessions))
      if (confidence > 0 && confidence > (best?.confidence ?? 0)) best = { confidence, sessions }
    }
    return best
  }

  return {
    unlinked: (): number[] => sql.unlinked.all().map(({ artifact }) => Number(artifact)),
    links(artifact: number): SessionLinks | undefined {
      const sent = sentTo(artifact)
      const scripted = script(artifact)
      if (sent.length === 0 && !scripted) return undefined
      return { ...(sent.length > 0 && { sent }), ...(scripted && { script: scripted }) }
    },
  }
}

/** Where a call says which agent it is for, no other one got it. */
const isFor = ({ target, own_agent: agent }: Record<string, unknown>): boolean =>
  target === null || target === agent
