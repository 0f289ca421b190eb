import type { SentPrompt, SessionLinks } from '../../../model/artifact.ts'
import type { ReplyUsage } from '../../../model/event.ts'
import { scriptConfidence } from '../../../model/script.ts'
import { LATEST_MS, MOST_ALIKE, MOST_PAIRS, SLACK_MS } from '../../increment.ts'
import { raw, sql } from '../connection/literal.ts'
import { filesOf, type Scope, shownPath } from '../scope.ts'
import { usageIn } from './well-formed.ts'

type PairValues = [
  heardLine: number,
  digest: number,
  at: number,
  line: number,
  target: string | null,
  artifact: number,
  device: string,
  path: string,
  platform: string,
  agent: string,
  session: string,
  ownAgent: string,
]

/** Reads which links have to be updated, and computes them. */
export function createLinks(scope: Scope) {
  const { connection, device } = scope

  /** One call sends one prompt to a session. If the same text arrives again later, somebody else typed it. */
  function sentTo(id: number): SentPrompt[] {
    const taken = new Set<string>()
    const found = new Map<string, SentPrompt>()
    for (const row of connection.select<PairValues>(
      sql`SELECT h.line, h.digest, h.at, s.line, s.target, s.artifact, a.device, a.path, a.platform, a.agent,
        a.session, own.agent
      FROM (SELECT * FROM heard FINAL WHERE artifact = ${id}) AS h
      INNER JOIN (SELECT * FROM sent FINAL WHERE digest IN (SELECT digest FROM heard FINAL WHERE artifact = ${id})) AS s
        ON s.digest = h.digest
      INNER JOIN ${filesOf({ ...scope, everyone: true }, 'id, device, path, platform, agent, session')} ON a.id = s.artifact
      INNER JOIN (SELECT id, agent, session FROM artifact FINAL WHERE id = ${id}) AS own ON own.id = h.artifact
      WHERE s.at BETWEEN h.at - ${LATEST_MS} AND h.at + ${SLACK_MS} AND s.artifact <> h.artifact
        AND a.session <> own.session
      ORDER BY h.at, h.line, s.at DESC, a.age LIMIT ${MOST_PAIRS}`,
    )) {
      const [, digest, at, line, target, artifact, owner, path, platform, agent, session, ownAgent] = row
      const call = `${artifact} ${line} ${digest}`
      const key = `${digest} ${at}`
      // A call that names its agent reached no other one.
      const isFor = target === null || target === ownAgent
      if (found.has(key) || taken.has(call) || !isFor) continue
      taken.add(call)
      const by = { platform, agent, session, path: shownPath(scope, owner, path), line }
      found.set(key, { digest, at, by: by as SentPrompt['by'] })
    }
    return [...found.values()]
  }

  function script(id: number): SessionLinks['script'] {
    let best: SessionLinks['script']
    for (const [template] of connection.select<[number]>(
      sql`SELECT template FROM template FINAL WHERE artifact = ${id} ORDER BY template`,
    )) {
      const alike = connection
        .select<[number, number]>(
          sql`SELECT at, whole FROM template FINAL WHERE template = ${template} ORDER BY at LIMIT ${MOST_ALIKE}`,
        )
        .map(([at, whole]) => ({ at, whole }))
      const [[count] = [0]] = connection.select<[number]>(
        sql`SELECT count() FROM template FINAL WHERE template = ${template}`,
      )
      const confidence = scriptConfidence(alike)
      if (confidence > 0 && confidence > (best?.confidence ?? 0))
        best = { confidence, sessions: Math.max(alike.length, count) }
    }
    return best
  }

  return {
    unlinked: (): number[] =>
      connection
        .select<[number]>(
          sql`SELECT artifact FROM unlinked FINAL
            WHERE artifact IN (SELECT id FROM artifact FINAL WHERE device = ${device})`,
        )
        .map(([id]) => id),
    links(id: number): SessionLinks | undefined {
      const sent = sentTo(id)
      const scripted = script(id)
      const inherited = inheritedBy(scope, id)
      if (sent.length === 0 && !scripted && inherited.length === 0) return undefined
      return {
        ...(sent.length > 0 && { sent }),
        ...(scripted && { script: scripted }),
        ...(inherited.length > 0 && { inherited }),
      }
    },
  }
}

/** Reads the usage that a forked session had already recorded at the fork. */
function inheritedBy(scope: Scope, id: number): ReplyUsage[] {
  const { connection } = scope
  const first = connection.select<[string, number, string]>(
    sql`SELECT model, argMin(sum, line), argMin(used, line) FROM statement FINAL WHERE artifact = ${id}
      GROUP BY model ORDER BY model`,
  )
  return first.flatMap(([model, sum, used]) => {
    const most = usageIn(used)
    if (!most) return []
    const others = connection.select<[number, number, string, number]>(
      sql`SELECT s.artifact, s.line, s.used, a.generation FROM
        (SELECT artifact, line, used FROM statement FINAL WHERE sum = ${sum} AND model = ${model}) AS s
        INNER JOIN ${filesOf(
          { ...scope, everyone: true },
          'id, generation',
          raw(sql`session NOT IN (SELECT session FROM artifact FINAL WHERE id = ${id})`),
        )} ON a.id = s.artifact
        ORDER BY JSONExtractFloat(s.used, 'cost') DESC, a.age, s.line DESC`,
    )
    for (const [artifact, line, text, generation] of others) {
      if (!containsBefore(artifact, generation, line)) continue
      const inherited = usageIn(text)
      if (!inherited || (inherited.cost ?? 0) > (most.cost ?? 0)) continue
      return [{ ...inherited, ...(model === '' ? {} : { model }) }]
    }
    return []
  })

  /** Whether this file contains the last message before a line of another. Then it contains all of them. */
  function containsBefore(artifact: number, generation: number, line: number): boolean {
    const [last] = connection.select<[number, number]>(
      sql`SELECT record, digest FROM item FINAL WHERE artifact = ${artifact} AND generation = ${generation}
        AND line < ${line} ORDER BY line DESC, place DESC LIMIT 1`,
    )
    if (!last) return false
    const [record, digest] = last
    const found = connection.select(
      sql`SELECT 1 FROM item FINAL WHERE artifact = ${id} AND record = ${record} AND digest = ${digest} LIMIT 1`,
    )
    return found.length > 0
  }
}
