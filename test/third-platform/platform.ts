import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isShortened, type LongValues } from '../../src/io/long-values.ts'
import type { Artifact, Environment, Root } from '../../src/model/artifact.ts'
import type { RecordFacts } from '../../src/model/delivery.ts'
import { asObject, asText, asTime, type JsonObject } from '../../src/model/json.ts'
import type { Delivery, Platform } from '../../src/platforms/platform.ts'
import { fernwoodIdentity } from './identity.ts'
import { normalize } from './normalize.ts'

const { id: platform, defaultAgent: agent } = fernwoodIdentity
const LOG = /^[^./][^/]*\.jsonl$/

function roots({ home, dirs }: Environment): Root[] {
  const folders = dirs?.[platform] ?? [join(home, fernwoodIdentity.folder)]
  return folders.map((path) => ({ platform, path, reason: 'default', found: existsSync(path) }))
}

/** The allow-list: files in `logs/`, no links. */
function discover({ path: root }: Root) {
  const logs = join(root, 'logs')
  const names = existsSync(logs) ? readdirSync(logs).sort() : []
  const artifacts = names.flatMap((name): Artifact | [] => {
    const path = join(logs, name)
    if (!LOG.test(name) || !lstatSync(path).isFile()) return []
    const { size, mtimeMs, dev, ino } = statSync(path)
    return {
      platform,
      agent,
      root,
      path,
      kind: 'transcript',
      state: 'live',
      sessionId: name.replace(/\.jsonl$/, ''),
      bytes: size,
      modifiedMs: mtimeMs,
      identity: `${dev}:${ino}`,
    }
  })
  return { artifacts, notices: [], unread: [] }
}

const delivery: Delivery = {
  table: [
    { pattern: 'logs/*.jsonl', kind: 'transcript', priority: 'P0', mode: 'incremental', content: 'jsonl' },
    { pattern: 'names.jsonl', kind: 'session-index', priority: 'P0', mode: 'incremental', content: 'jsonl' },
    { pattern: '**', skip: 'not needed' },
  ],
  record,
}

/** The `id` in `names.jsonl` is that of the session, not of the record. */
function record(entry: JsonObject): RecordFacts {
  const cwd = asText(asObject(entry.body)?.dir)
  return { at: asTime(entry.when), cwd, session: asText(entry.id), type: asText(entry.kind) }
}

/** A result is read after a failure. */
const long: LongValues = {
  needs: { body: { text: 'nothing' } },
  isEnough(entry) {
    const body = asObject(asObject(entry)?.body)
    return body?.ok === true || !isShortened(body?.text)
  },
}

const none: ReadonlySet<string> = new Set()

export const fernwood: Platform = {
  id: platform,
  identity: fernwoodIdentity,
  files: {
    roots,
    discover,
    refused: () => [],
    given: {
      isOwn: ({ kind, body }) => kind === 'start' && asObject(body) !== undefined,
      facts: () => ({ agent, state: 'live' }),
    },
  },
  records: { normalize, long, knownFields: () => ({ record: none, message: none, part: none }) },
  delivery,
  resume: ({ id }) => ({ words: ['fernwood', 'again'], id, variables: {}, directories: [] }),
}
