import type { Artifact } from '../../../model/artifact.ts'
import type { Draft, Part, Payload } from '../../../model/event.ts'
import { wordSet } from '../../../model/iteration.ts'
import { asText, type JsonObject } from '../../../model/json.ts'
import { attached } from '../../attached.ts'
import { prompted, skipped } from '../../messages.ts'
import type { Dialect } from '../../pi-records/dialect.ts'
import { blocksOf, textOf, timeOf } from '../../pi-records/entry.ts'
import { normalizeRecord, parentOf } from '../../pi-records/normalize.ts'
import type { KnownFields } from '../../platform.ts'
import { sessionIdIn } from '../file-names.ts'

/** pi records the words of people and agents as they are. */
const dialect: Dialect = {
  form: 3,
  header,
  prompts,
  typed: (command, { excludeFromContext }) =>
    prompted([{ type: 'text', text: `${excludeFromContext === true ? '!!' : '!'}${command}` }]),
  wordsOf: (text) => ({ text: text.trim(), thinking: [], media: 0 }),
}

/** Normalizes one record of pi. */
export function normalize(value: unknown, artifact: Artifact): Draft[] {
  const drafts = normalizeRecord(value, artifact, dialect)
  const isOfSubagent = drafts.some(({ payload }) => payload.type === 'title' && SUBAGENT.test(payload.title))
  return isOfSubagent ? [...drafts, { payload: { type: 'session', kind: 'subagent' } }] : drafts
}

/** How the extension pi-subagents names its sessions: `subagent-<agent>-<run>`, perhaps with a number. */
const SUBAGENT = /^subagent-.{1,100}-[0-9a-f]{8}(?:-\d{1,4})?$/

/** A fork begins with a copy of its parent's records, which keep their ids and times. */
function header(entry: JsonObject): Payload {
  const parent = parentOf(entry)
  const at = timeOf(entry)
  return {
    type: 'session',
    sessionId: asText(entry.id),
    forkOf: parent === undefined ? undefined : sessionIdIn(parent),
    ...(parent !== undefined && at !== undefined && { forkedAt: at }),
  }
}

function prompts({ content }: JsonObject): Payload[] {
  const { text, files } = typedWords(textOf(content))
  const media = blocksOf(content).flatMap((block) => (block.kind === 'other' ? [block.part] : []))
  // The pictures among the files follow as blocks of their own, without their names.
  const unnamed = media.slice(files.filter(({ isImage }) => isImage).length)
  const parts: Part[] = [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...files.map(({ path }) => attached(path, 'file')),
    ...unnamed,
  ]
  return parts.length === 0 ? [skipped('message:user')] : [prompted(parts)]
}

/** What `@file` puts before the first prompt: an element for each file, with its text on lines of its own. */
const FILE = /^<file name="[^"\n]*">/
const FILES = /(?:^|<\/file>\n)<file name="([^"\n]*)">(\n?)/g
const FILE_END = '</file>'
/** What `/skill:name` becomes, with the words that follow the name. */
const SKILL = /^<skill name="([^"\n]+)" location="[^"\n]*">\n/
const SKILL_END = '\n</skill>'

/** What a person typed, without the files and skills that the client writes out before it. */
function typedWords(text: string): { text: string; files: { path: string; isImage: boolean }[] } {
  const skill = SKILL.exec(text)
  // A file may contain the ends of other elements, and people seldom type them: the last one counts.
  const end = text.lastIndexOf(skill ? SKILL_END : FILE_END)
  if (end < 0) return { text, files: [] }
  if (skill)
    return { text: `/skill:${skill[1]} ${text.slice(end + SKILL_END.length).trim()}`.trimEnd(), files: [] }
  if (!FILE.test(text)) return { text, files: [] }
  return {
    text: text.slice(end + FILE_END.length).trim(),
    files: Array.from(text.slice(0, end).matchAll(FILES), ([, path = '', line]) => ({
      path,
      isImage: line === '',
    })),
  }
}

/** The known fields and types of pi's records up to 1.5.2. `doctor --drift` reports any others. */
export const knownFields = (): KnownFields => ({
  record: wordSet(
    `branchedFrom content customType cwd data details display firstKeptEntryId firstKeptEntryIndex fromHook fromId id kind label message
    model modelId name note parentId parentSession provider replacement summary systemMessage targetId thinkingLevel timestamp
    tokensBefore type usage version`,
  ),
  message: wordSet(
    `api cancelled command content customType deferred details diagnostics display durationMs endTurn errorMessage
    excludeFromContext exitCode fromId fullOutputPath isError model nestedCalls output provider providerThinkingLevel
    rawStopReason responseId responseModel role sections stopReason summary thinkingLevel timestamp tokensBefore toolCallId
    toolName toolsAdded toolsRemoved truncated usage`,
  ),
  part: wordSet('image text thinking toolCall'),
  usage: {
    at: 'message.usage',
    fields: wordSet('cacheRead cacheWrite cacheWrite1h cost input output reasoning totalTokens'),
  },
})
