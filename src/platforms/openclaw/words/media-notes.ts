import { append } from '../../../model/iteration.ts'
import { parsedJson } from '../../../model/json.ts'
import { withoutSpans } from './spans.ts'

/** The text of a message without the notes about its media. */
interface Spoken {
  text: string
  media: string[]
}

const ATTACHED = /^\[media attached(?: \d+\/\d+)?: (.*)\]$/
const REPLY_HINT = /^To send an image back, prefer the message tool/
const PLACEHOLDER = /^<media:([^>\s]+)[^>]*>(?:\s*\([^)]*\))?\s*/i
const REMOVED =
  /^\[(image|attachment|file|media reference) data removed - already processed by model\]$|^\[media reference removed - already processed by model\]$/
const NO_CAPTION = /^\[User sent media without caption\]$/
const INLINE_IMAGE = /^\[Image: source: [^\]]*\]$/
const TRANSCRIPT = /^\[Audio transcript \(machine-generated, untrusted\)\]: (".*")$/
/** An attached text file inside a message. */
const FILE = /<file name="[^"\n]*"[^>\n]*>\n/

/** Removes the attachment notes at the top of a message, one per line. */
export function takeAttachments(text: string): Spoken {
  const media: string[] = []
  const lines = text.split('\n')
  let at = 0
  for (; at < lines.length; at++) {
    const attached = ATTACHED.exec(lines[at]!.trim())
    if (attached) append(media, attachedKinds(attached[1]!))
    else if (!REPLY_HINT.test(lines[at]!)) break
  }
  return { text: at === 0 ? text : lines.slice(at).join('\n'), media }
}

/** The line above several files only counts them. */
const attachedKinds = (note: string): string[] => (/^\d+ files$/.test(note) ? [] : [kindOf(note)])

/**
 * Removes media notes from a message. The transcript of a voice message counts as its text. `known`: files
 * named before the message. `open` removes the envelope from a text that was quoted whole.
 */
export function takeMedia(raw: string, known: readonly string[], open: (text: string) => string): Spoken {
  const media = [...known]
  const text = withoutSpans(
    raw,
    FILE,
    () => '\n</file>',
    () => media.push('file'),
  )
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const bare = line.trim()
    const attached = ATTACHED.exec(bare)
    const removed = REMOVED.exec(bare)
    if (attached) {
      append(media, attachedKinds(attached[1]!))
    } else if (removed) media.push(removed[1] === 'file' || removed[1] === 'attachment' ? 'file' : 'image')
    else if (INLINE_IMAGE.test(bare)) media.push('image')
    else if (NO_CAPTION.test(bare)) media.push('')
    else if (!REPLY_HINT.test(bare)) lines.push(transcribed(line))
  }
  const rest = withoutPlaceholder(lines.join('\n').trim(), media)
  const understood = sections(rest, open)
  append(media, understood.media)
  // `without caption` names no kind and only counts if nothing else named the file.
  const named = media.filter((name) => name !== '')
  return { text: understood.text, media: named.length > 0 ? named : media.map(() => 'file') }
}

/** The kind of a file, from its MIME type or extension. */
function kindOf(note: string): string {
  const mime = /\((image|audio|video)\//.exec(note)?.[1]
  if (mime) return mime
  const ending = /\.([A-Za-z0-9]{2,5})(?:[ |)]|$)/.exec(note)?.[1]?.toLowerCase() ?? ''
  if (/^(?:jpe?g|png|gif|webp|heic|bmp)$/.test(ending)) return 'image'
  if (/^(?:ogg|oga|opus|mp3|m4a|wav|flac|aac)$/.test(ending)) return 'audio'
  return /^(?:mp4|mov|webm|mkv)$/.test(ending) ? 'video' : 'file'
}

function withoutPlaceholder(text: string, media: string[]): string {
  const match = PLACEHOLDER.exec(text)
  if (!match) return text
  if (!media.some((name) => name !== '')) media.push(match[1]!.toLowerCase())
  return text.slice(match[0].length)
}

function transcribed(line: string): string {
  const quoted = TRANSCRIPT.exec(line.trim())?.[1]
  return quoted ? String(parsedJson(quoted) ?? quoted) : line
}

/** On lines of their own, or in the single line that the earliest versions wrote. */
const SECTION =
  /(?:^|\n\n| )\[(Audio|Image|Video)(?: \d+\/\d+)?\]\s(?=(?:User text|Transcript|Description):\s)/g
const OWN = /^User text:\s([\s\S]*?)\s(?=(?:Transcript|Description):\s)/

/**
 * Media understanding rewrites a message into sections: the human's text, transcripts, and a model's
 * descriptions. The text may still have its envelope and a placeholder for the file.
 */
function sections(text: string, open: (text: string) => string): Spoken {
  const heads = [...text.matchAll(SECTION)]
  const [first] = heads
  if (!first || (first.index > 0 && !/^User text:\s/.test(text))) return { text, media: [] }
  const texts: string[] = []
  const say = (words: string): void => {
    const own = open(words.trim()).replace(PLACEHOLDER, '').trim()
    if (own !== '') texts.push(own)
  }
  say(text.slice(0, first.index).replace(/^User text:\s/, ''))
  for (const [index, head] of heads.entries()) {
    const body = text.slice(head.index + head[0].length, heads[index + 1]?.index)
    const own = OWN.exec(body)
    const rest = own ? body.slice(own[0].length) : body
    if (own) say(own[1]!)
    if (/^Transcript:\s/.test(rest)) say(rest.slice('Transcript:'.length))
  }
  return { text: texts.join('\n'), media: heads.map((head) => head[1]!.toLowerCase()) }
}
