import { hash } from 'node:crypto'
import { asObject, asText, type JsonObject, parsedJson } from '../../model/json.ts'
import type { Restoring } from '../platform.ts'
import { importedName } from './file-names.ts'
import { isRow } from './session-index.ts'

const IMPORTED = /^(agents\/[^/]+)\/session-sqlite-import-archive\/([^/]+)$/
const FOLDER = /^(.*)\/[^/]+$/s

/** A transcript of a session, and not one that was reset or deleted. */
const isLive = (below: string): boolean => below.endsWith('.jsonl')

export const restoring: Restoring = {
  liveName(below) {
    const [, agent, name] = IMPORTED.exec(below) ?? []
    const found = name === undefined ? undefined : importedName(name)
    return found ? `${agent}/sessions/${found.stem}.jsonl` : below
  },
  directories: ['cwd'],
  index: {
    of: (below) => `${FOLDER.exec(below)?.[1] ?? ''}/sessions.json`,
    add(current, former, session) {
      const { id, agent, file } = session
      if (!isLive(file)) return undefined
      const known = current === undefined ? {} : asObject(parsedJson(current))
      const brace = current?.indexOf('{') ?? -1
      if (!known || 'agents' in known || (current !== undefined && brace < 0))
        throw new Error('its session index has a form that is not known, so that no entry can be added')
      const own = Object.keys(known).find((key) => asText(asObject(known[key])?.sessionId) === id)
      if (current !== undefined && own !== undefined) return { text: current, key: own }
      const [formerKey, fields] = formerEntry(former, id) ?? []
      const usual = `agent:${agent}:explicit:${id}`
      // A key leads to one session. If it leads to another one now, this one gets a key of its own.
      const key = formerKey === undefined || Object.hasOwn(known, formerKey) ? usual : formerKey
      const entry = JSON.stringify({ ...entryOf(fields, session), sessionId: id, sessionFile: file })
      const member = `${JSON.stringify(key)}:${entry}`
      if (current === undefined) return { text: `{${member}}`, key }
      const rest = current.slice(brace + 1)
      const comma = Object.keys(known).length > 0 ? ',' : ''
      return { text: `${current.slice(0, brace + 1)}${member}${comma}${rest}`, key }
    },
  },
  afterward: {
    reason:
      'OpenClaw 2026.7.2 and later keeps sessions in a database with its keys, in which Scrollback does not write: OpenClaw imports the file itself',
    command: 'openclaw doctor --fix',
  },
  condensed({ id, agent, directory, model }, messages) {
    let parentId: string | null = null
    const first = messages[0]?.at ?? new Date(0).toISOString()
    const lines = messages.map(({ who, at, text }, index) => {
      const own = hash('sha256', `${id} ${index}`, 'hex').slice(0, 8)
      const content = [{ type: 'text', text }]
      const timestamp = Date.parse(at)
      const line = {
        type: 'message',
        id: own,
        parentId,
        timestamp: at,
        message:
          who === 'human'
            ? { role: 'user', content, timestamp }
            : {
                role: 'assistant',
                content,
                api: 'condensed',
                provider: 'condensed',
                model: model ?? 'condensed',
                usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
                stopReason: 'stop',
                timestamp,
              },
      }
      parentId = own
      return line
    })
    const header = { type: 'session', version: 3, id, timestamp: first, cwd: directory }
    return { below: `agents/${agent}/sessions/${id}.jsonl`, lines: [header, ...lines] }
  },
}

/** The key and the entry of a session in the index that it comes from. */
function formerEntry(former: string | undefined, id: string): [string, JsonObject] | undefined {
  const found = Object.entries(asObject(parsedJson(former ?? '')) ?? {}).find(
    ([, entry]) => asText(asObject(entry)?.sessionId) === id,
  )
  const fields = asObject(found?.[1])
  return found && fields && [isRow(fields) ? (asText(fields.sessionKey) ?? found[0]) : found[0], fields]
}

/** What an entry says of its session, and nothing that chooses what the client does. */
const FACTS: readonly string[] = [
  ...['updatedAt', 'label', 'displayName', 'subject', 'chatType', 'spawnDepth', 'compactionCount'],
  ...['contextTokens', 'inputTokens', 'outputTokens', 'totalTokens', 'cacheRead', 'cacheWrite'],
]
/**
 * Of a session of this machine, also its model, what it belongs to, and where its replies go. Nothing gives
 * it rights, such as `elevatedLevel` or `execAsk`.
 */
const OWN: readonly string[] = [
  ...FACTS,
  ...['spawnedBy', 'parentSessionKey', 'systemSent', 'abortedLastRun', 'cliSessionIds', 'claudeCliSessionId'],
  ...['model', 'modelProvider', 'modelOverride', 'providerOverride'],
  ...['thinkingLevel', 'verboseLevel', 'reasoningLevel'],
  ...['channel', 'groupId', 'groupChannel', 'space', 'room', 'origin', 'deliveryContext'],
  ...['lastChannel', 'lastTo', 'lastAccountId', 'lastThreadId'],
]

/** The fields of an entry of a file. An archive has other ones of a session in a database. */
function entryOf(
  fields: JsonObject | undefined,
  { title, modifiedMs, isForeign }: { title?: string | undefined; modifiedMs: number; isForeign: boolean },
): JsonObject {
  if (!fields || isRow(fields))
    return { updatedAt: fields?.updatedAt ?? modifiedMs, ...(title === undefined ? {} : { label: title }) }
  const allowed = isForeign ? FACTS : OWN
  return Object.fromEntries(Object.entries(fields).filter(([name]) => allowed.includes(name)))
}
