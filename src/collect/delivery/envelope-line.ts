import { ENVELOPE_VERSION, type Envelope, type RecordKind } from '../../model/delivery.ts'
import type { Redactor } from '../../redact/redactor.ts'
import { isoOf } from './iso-time.ts'
import type { RecordSettings } from './slice.ts'
import type { Source } from './source.ts'

/** What is told of one record beside itself. */
export interface RecordFacts {
  id: string
  atMs: number
  session: string | null
  project: string | null
  line: number
  offset: number
  generation: number
  redactions: number
  kind?: RecordKind
  state?: Envelope['state']
  malformed?: boolean
  part?: number
  stub?: Envelope['stub']
}

/** Home as `~`, on every machine alike. */
export const withoutHome = (path: string, home: string): string =>
  home !== '' && (path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`))
    ? `~${home.includes('\\') ? path.slice(home.length).replaceAll('\\', '/') : path.slice(home.length)}`
    : path

/** Writes the envelopes of a source. What is the same in all of them is laid out once. */
export function createEnvelopes(
  source: Source,
  { device, deviceId, home }: Pick<RecordSettings, 'device' | 'deviceId' | 'home'>,
  { redact }: Redactor,
) {
  const { platform, agent, row } = source
  const path = redact(withoutHome(source.path, home))
  const constant = (kind: RecordKind): string =>
    `"platform":${JSON.stringify(platform)},"kind":"${kind}","device":${JSON.stringify(device)},"deviceId":"${deviceId}","agent":${JSON.stringify(redact(agent))}`
  const own = constant(row.kind)
  const texts = new Map<string, string>()
  /** Sessions and folders are few. */
  const clean = (text: string | null): string => {
    if (text === null) return 'null'
    let made = texts.get(text)
    if (made === undefined) {
      made = JSON.stringify(redact(text))
      texts.set(text, made)
    }
    return made
  }
  /** What stands before the record, which is JSON, and what stands behind it; `normalized` is JSON too. */
  return (facts: RecordFacts, normalized?: string): [head: string, tail: string] => {
    const { id, atMs, session, project, line, offset, generation, redactions } = facts
    const state = facts.state ?? (source.state === 'live' ? undefined : source.state)
    return [
      `{"v":${ENVELOPE_VERSION},"id":"${id}","at":"${isoOf(atMs)}",` +
        `${facts.kind === undefined ? own : constant(facts.kind)},"session":${clean(session)},"project":${clean(project)},` +
        `"path":${clean(path)},"line":${line},"offset":${offset},"generation":${generation}` +
        `${state === undefined ? '' : `,"state":"${state}"`}${facts.malformed ? ',"malformed":true' : ''}` +
        `${facts.part === undefined ? '' : `,"part":${facts.part}`}${facts.stub ? `,"stub":${JSON.stringify(facts.stub)}` : ''}` +
        ',"raw":',
      `,"redactions":${redactions}${normalized === undefined ? '' : `,"normalized":${normalized}`}}\n`,
    ]
  }
}
