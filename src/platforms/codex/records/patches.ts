import type { Payload } from '../../../model/event.ts'
import { shellTokens } from '../../../model/fold/shell-words.ts'
import { asObject, asText, type JsonObject } from '../../../model/json.ts'
import type { RecordedChange } from '../../platform.ts'

const BEGIN = '*** Begin Patch'
const PATHS = /^(\*\*\* (?:(?:Update|Add|Delete) File|Move to): )(.*\S)/gm
/** How a list of words is joined to a command. */
const WORDS = /^apply_?patch /

/** The patch in such a command, with paths from the folder of the session. Undefined for any other. */
export function patchInCommand({ command, cmd, workdir, working_directory }: JsonObject): string | undefined {
  const text = asText(command) ?? asText(cmd)
  if (!text?.includes(BEGIN)) return undefined
  const { patch, folder } = patchIn(text) ?? { patch: text.replace(WORDS, ''), folder: undefined }
  if (!patch.startsWith(BEGIN)) return undefined
  const folders = [asText(workdir) ?? asText(working_directory), folder]
  // A folder with a line break would be another section.
  if (folders.some((each) => /[\r\n]/.test(each ?? ''))) return undefined
  return folders.reduceRight<string>((inner, each) => (each ? below(each, inner) : inner), patch)
}

interface Applied {
  patch: string
  folder: string | undefined
}

const COMMENTS = /^\s*(?:#.*\n\s*)*/
/** Words and signs of a command that applies a patch: its argument, or a here-document. `w` is a word. */
const APPLYING = /^(?:ww&&)?w(?:w|<<ww?)$/
const SHELL = /^(?:\/\S+\/)?(?:ba|z)?sh$/

/**
 * The patch of a script that does nothing but apply it, in a folder. The client applies some forms itself; a
 * shell applies all of them, with a program of the client. Where these differ, or a shell replaces a part,
 * only the record of the change says what was done.
 */
function patchIn(script: string): Applied | undefined {
  const text = script.replace(COMMENTS, '').trimEnd()
  const line = text.split('\n', 1)[0]!
  for (const part of line === text ? [text] : [line, text]) {
    const tokens = shellTokens(part)
    const shape = tokens.map(({ sign }) => sign ?? 'w').join('')
    const words = tokens.flatMap(({ word, source }) => (word === undefined ? [] : [{ word, source }]))
    if (tokens.some(({ varies }) => varies)) continue
    if (shape === 'www' && SHELL.test(words[0]!.word) && /^-l?c$/.test(words[1]!.word))
      return patchIn(words[2]!.word)
    if (!APPLYING.test(shape)) continue
    const [cd, folder] = shape.startsWith('ww&') ? words.splice(0, 2) : []
    const [program, given, more] = words
    if (!/^apply_?patch$/.test(program!.word)) return undefined
    // The client takes a backslash in a folder for a part of its name.
    if (cd && (cd.word !== 'cd' || folder!.source.includes('\\'))) return undefined
    const isDocument = shape.includes('<')
    // `<<-EOF` and `<<- EOF`.
    const isIndented = isDocument && given!.source.startsWith('-')
    const mark = `${given!.word}${more?.word ?? ''}`.slice(isIndented ? 1 : 0)
    const patch = isDocument ? documentIn(text.slice(line.length + 1), mark, isIndented) : mark.trim()
    return patch === undefined ? undefined : { patch, folder: folder?.word }
  }
  return undefined
}

/** The text of a here-document that ends with a mark. */
function documentIn(text: string, mark: string, isIndented: boolean): string | undefined {
  const body = isIndented ? text.replace(/^\t+/gm, '') : text
  return body.endsWith(`\n${mark}`) ? body.slice(0, -mark.length - 1) : undefined
}

/** A patch whose paths are seen from the folder above. */
const below = (folder: string, patch: string): string =>
  patch.replace(PATHS, (_, mark: string, path: string) =>
    /^(?:[~/\\]|[a-z]:)/i.test(path) ? `${mark}${path}` : `${mark}${folder.replace(/[\\/]$/, '')}/${path}`,
  )

/** Lines without these record no change, and no call that may have made one. */
export const CHANGE_WORDS = [
  '"FileChange"',
  '"patch_apply_end"',
  '"function_call"',
  '"local_shell_call"',
] as const

/**
 * What the client did to files. Of a call that failed, the record does not say what was done, and what a
 * script called has ids that no call has.
 */
function changesIn(
  record: JsonObject | undefined,
): { callId: string; changes: [string, JsonObject][] } | undefined {
  const callId = asText(record?.call_id) ?? asText(record?.id)
  const isDone = record?.status === 'completed' || (record?.status === undefined && record?.success === true)
  const isOne = record?.type === 'FileChange' || record?.type === 'patch_apply_end'
  if (!isOne || !isDone || callId === undefined || callId.startsWith('exec-')) return undefined
  const changes = Object.entries(asObject(record.changes) ?? {})
    .map(([path, change]): [string, JsonObject] => [path, asObject(change) ?? {}])
    // A path with a line break would be another section.
    .filter(([path, { move_path: moved }]) => !/[\r\n]/.test(`${path}${asText(moved) ?? ''}`))
  return changes.length > 0 ? { callId, changes } : undefined
}

/** What the client did to files, as a patch. */
export function recordedChanges(entry: unknown): RecordedChange[] {
  const payload = asObject(asObject(entry)?.payload)
  const found = changesIn(asObject(payload?.item) ?? payload)
  if (!found) return []
  const sections = found.changes.map(([path, change]) => sectionOf(path, change))
  return [{ callId: found.callId, input: [BEGIN, ...sections, '*** End Patch'].join('\n') }]
}

/** The same for the call that did it: which files, whatever its command says. */
export function patched(record: JsonObject): Payload | undefined {
  const found = changesIn(record)
  const headers = found?.changes.map(([path, { move_path: moved }]) => headerOf(path, asText(moved)))
  return (
    headers && {
      type: 'done',
      callId: found!.callId,
      name: 'apply_patch',
      input: { input: headers.join('\n') },
    }
  )
}

const headerOf = (path: string, moved: string | undefined): string =>
  `*** Update File: ${path}${moved === undefined ? '' : `\n*** Move to: ${moved}`}`

function sectionOf(path: string, { type, content, unified_diff, move_path }: JsonObject): string {
  if (type === 'delete') return `*** Delete File: ${path}`
  if (type === 'add')
    return [`*** Add File: ${path}`, ...linesOf(content).map((line) => `+${line}`)].join('\n')
  return [
    headerOf(path, asText(move_path)),
    // No note about a missing line feed, and nothing that begins another section.
    ...linesOf(unified_diff).filter((line) => /^(?:[ +@-]|$)/.test(line)),
  ].join('\n')
}

const linesOf = (text: unknown): string[] => {
  const lines = (asText(text) ?? '').split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
