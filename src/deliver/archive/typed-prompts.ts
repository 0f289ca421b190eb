import { hash } from 'node:crypto'
import type { Envelope } from '../../model/delivery.ts'
import { asArray, asObject } from '../../model/json.ts'
import { platforms } from '../../platforms/index.ts'
import { archiveFrames, envelopeOf, noFaults } from './records.ts'

/** Hashes of texts, each with its platform. */
export type Spoken = ReadonlySet<string>

/**
 * Everything that the records of some sessions say, to recognize their prompts in a prompt history that does
 * not name its sessions, and their plans, whose names they have. Reads all records of the archives.
 */
export function spokenIn(folders: readonly string[], isChosen: (envelope: Envelope) => boolean): Spoken {
  const spoken = new Set<string>()
  for (const folder of folders)
    for (const { lines } of archiveFrames(folder, noFaults()))
      for (const line of lines) {
        const envelope = envelopeOf(line)
        if (!envelope || envelope.kind === 'prompt-history' || !isChosen(envelope)) continue
        for (const text of textsIn(envelope.raw)) {
          spoken.add(keyOf(envelope.platform, text))
          const [, plan] = PLAN.exec(text) ?? []
          if (plan !== undefined) spoken.add(keyOf(envelope.platform, plan))
        }
      }
  return spoken
}

/** The name of a plan, in its path. */
const PLAN = /[/\\]plans[/\\]([^/\\\n]+)\.md$/

/** Whether a record without a session is a prompt that was said, or a plan that was named. */
export function isTyped({ platform, kind, raw, path }: Envelope, spoken: Spoken): boolean {
  const plan = kind === 'plan' ? PLAN.exec(path)?.[1] : undefined
  if (plan !== undefined) return spoken.has(keyOf(platform, plan))
  const entry = kind === 'prompt-history' && spoken.size > 0 ? asObject(raw) : undefined
  const forms = (entry && typedFormsOf(platform)?.(entry)) ?? []
  return forms.some((text) => text.trim() !== '' && spoken.has(keyOf(platform, text)))
}

/** Whether prompt histories or plans of a platform may not name their sessions. */
export const hasUnnamed = (platform: string): boolean =>
  typedFormsOf(platform) !== undefined ||
  (deliveryOf(platform)?.table ?? []).some((row) => !('skip' in row) && row.kind === 'plan' && !row.ofFolder)

/** An archive may have records of a platform that this version does not know. */
const deliveryOf = (platform: string) => platforms.find(({ id }) => id === platform)?.delivery

const typedFormsOf = (platform: string) => deliveryOf(platform)?.typedForms

/** Spaces differ between a history and a transcript. */
const keyOf = (platform: string, text: string): string =>
  hash('sha256', `${platform} ${text.trim().replace(/\s+/g, ' ')}`, 'base64')

/** All strings in a value, however deep. */
function* textsIn(value: unknown): Generator<string> {
  const left = [value]
  while (left.length > 0) {
    const each = left.pop()
    if (typeof each === 'string') yield each
    else for (const inner of asArray(each) ?? Object.values(asObject(each) ?? {})) left.push(inner)
  }
}
