import { ENVELOPE_VERSION, type Envelope, type RecordKind } from '../../../model/delivery.ts'
import type { Redactor } from '../../../redact/redactor.ts'
import type { RecordSettings } from '../slice.ts'
import type { Source } from '../source.ts'
import { isoOf } from './iso-time.ts'

/** The fields of an envelope that differ from record to record. */
export interface EnvelopeFacts {
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

/** Replaces the home directory by `~`, which is the same on every machine. */
export const withoutHome = (path: string, home: string): string =>
  home !== '' && (path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`))
    ? `~${home.includes('\\') ? path.slice(home.length).replaceAll('\\', '/') : path.slice(home.length)}`
    : path

/** Writes the envelopes of a source. Fields that all of them share are formatted once. */
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
  /** Cached, because few different sessions and folders occur. */
  const clean = (text: string | null): string => {
    if (text === null) return 'null'
    let made = texts.get(text)
    if (made === undefined) {
      made = JSON.stringify(redact(text))
      texts.set(text, made)
    }
    return made
  }
  /** Returns the JSON before and after the record. `normalized` is JSON too. */
  return (facts: EnvelopeFacts, normalized?: string): [head: string, tail: string] => {
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
