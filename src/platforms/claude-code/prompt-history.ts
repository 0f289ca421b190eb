import { readBlocks } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import { openSource } from '../../io/source.ts'
import type { SideQuestion } from '../../model/artifact.ts'
import type { Draft } from '../../model/event.ts'
import { asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import { historyFile } from '../folders.ts'

/** The placeholder of a pasted text. */
const PASTED = /\[Pasted text #(\d+)(?: \+\d+ lines)?\]/g
/** A command without arguments. */
const BARE_COMMAND = /^\/[\w:-]+\s*$/

/** What was typed, with what was pasted. Undefined if a line contains no prompt. */
function typedText({ display: shown, pastedContents }: JsonObject): string | undefined {
  const display = asText(shown)
  if (display === undefined || display.trim() === '' || BARE_COMMAND.test(display)) return undefined
  const pasted = asObject(pastedContents)
  return display.replace(
    PASTED,
    (mark, number: string) => asText(asObject(pasted?.[number])?.content) ?? mark,
  )
}

/** The same as words, and as a transcript has a command of the shell or of the client. */
export function typedForms(line: JsonObject): string[] {
  const text = typedText(line)
  if (text === undefined) return []
  const [, shell] = /^!\s*(.+)$/s.exec(text) ?? []
  const [, name, given] = /^\/(\S+)\s+(.+)$/s.exec(text) ?? []
  const tag = (of: string, content: string): string => `<command-${of}>${content}</command-${of}>`
  return [
    text,
    ...(shell === undefined ? [] : [`<bash-input>${shell.trim()}</bash-input>`]),
    ...(name === undefined
      ? []
      : [
          [tag('name', `/${name}`), tag('message', name)],
          [tag('message', name), tag('name', `/${name}`)],
        ].map((tags) => [...tags, tag('args', given!.trim())].join(' '))),
  ]
}

/** Normalizes one line of the prompt history. Undefined if it contains no prompt. */
export function normalizeHistory(entry: unknown): Draft | undefined {
  const line = asObject(entry)
  const text = line && typedText(line)
  if (!line || text === undefined) return undefined
  return {
    at: asTime(line.timestamp),
    cwd: asText(line.project),
    sessionId: asText(line.sessionId),
    payload: { type: 'message', role: 'user', speaker: 'human', parts: [{ type: 'text', text }] },
  }
}

/** A side question. Neither it nor its reply is in the transcript. */
const ASKS = /^\/btw\s+\S/
/** Bytes of a history line that contains one. */
const SIGN = Buffer.from('"/btw ')
const NEWLINE = 10

type BySession = ReadonlyMap<string, readonly SideQuestion[]>

/** The last result, by path of the history: a root has thousands of sessions and one such file. */
const read = new Map<string, { state: string; questions: BySession }>()

/**
 * The side questions in the prompt history of a root, by session, in order. Empty if the file cannot be read.
 */
export function sideQuestions(root: string): BySession {
  const [file] = historyFile({ platform: 'claude-code', path: root })
  if (!file) return new Map()
  const state = `${file.bytes} ${file.modifiedMs} ${file.identity}`
  const known = read.get(file.path)
  if (known?.state === state) return known.questions
  let questions: BySession = new Map()
  try {
    questions = questionsIn(file.path)
  } catch {
    // The file may have been deleted by now.
  }
  read.set(file.path, { state, questions })
  return questions
}

function questionsIn(path: string): BySession {
  const found = new Map<string, SideQuestion[]>()
  const source = openSource(path)
  try {
    readBlocks(source, ({ bytes, end }) => {
      let at = bytes.indexOf(SIGN)
      while (at >= 0 && at < end) {
        const start = bytes.lastIndexOf(NEWLINE, at) + 1
        const stop = bytes.indexOf(NEWLINE, at)
        const lineEnd = stop < 0 || stop > end ? end : stop
        for (const entry of parseLine(bytes, start, lineEnd).entries) take(entry)
        at = bytes.indexOf(SIGN, lineEnd)
      }
    })
  } finally {
    source.close()
  }
  return found

  function take(entry: unknown): void {
    const { at, sessionId, payload } = normalizeHistory(entry) ?? {}
    if (at === undefined || sessionId === undefined || payload?.type !== 'message') return
    const [part] = payload.parts
    if (part?.type !== 'text' || !ASKS.test(part.text)) return
    const text = part.text.trim()
    const own = found.get(sessionId)
    if (own) own.push({ at, text })
    else found.set(sessionId, [{ at, text }])
  }
}
