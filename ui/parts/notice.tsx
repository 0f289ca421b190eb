import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { SearchAnswer } from '../api/ask.ts'
import type { Asked } from '../api/use-answer.ts'
import { count, counted } from '../text/format.ts'
import { Button } from './controls.tsx'

/** What to show where there is nothing: what is missing, and what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="empty-words">{children}</div>}
    </div>
  )
}

export function Failed({ asked, what }: { asked: Pick<Asked<unknown>, 'failure' | 'again'>; what: string }) {
  const { failure } = asked
  if (!failure) return null
  return (
    <div class="empty failed" role="alert">
      <p class="empty-title">{`${what} could not be loaded`}</p>
      <p class="empty-words">
        <span dir="auto">{failure.message}</span>
        {failure.hint && <span dir="auto">{` ${failure.hint}`}</span>}
      </p>
      <Button label="Try again" onClick={asked.again} />
    </div>
  )
}

/** Gray lines where text will be. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

/** The answer if there is one, otherwise why not. */
export function Awaited<Answer>({
  asked,
  what,
  lines = 6,
  children,
}: {
  asked: Asked<Answer>
  what: string
  lines?: number
  children: (answer: Answer) => ComponentChildren
}) {
  if (asked.answer !== undefined) return <>{children(asked.answer)}</>
  if (asked.failure) return <Failed asked={asked} what={what} />
  return <Loading what={what} lines={lines} />
}

export const Loading = ({ what, lines = 6 }: { what: string; lines?: number }) => (
  <div aria-busy="true">
    <span class="unseen">{`Loading ${what.toLowerCase()}`}</span>
    <Skeleton lines={lines} />
  </div>
)

interface IncompleteProperties {
  /** Absent if the answer is made from all files. */
  of: SearchAnswer['incomplete'] | undefined
  verb: 'Searched' | 'Indexed'
}

/** The first line of an answer that is made while files are indexed. The answer comes again until all are. */
export function Incomplete({ of: part, verb }: IncompleteProperties) {
  if (!part) return null
  const { files, of, messages } = part
  const isSaid = messages > 0 && (verb === 'Searched' || files === of)
  const lacks = isSaid ? `, without the words of ${counted(messages, 'message')}` : ''
  return (
    <p
      class="incomplete"
      role="status"
    >{`${verb} ${count(files)} of ${counted(of, 'file')} so far${lacks}.`}</p>
  )
}

const shown = signal('')
let timer: ReturnType<typeof setTimeout> | undefined

const SHOWN_MS = 3500
/** As long as it takes to read a character. */
const CHARACTER_MS = 60

/** Shows a message for some seconds, longer ones for longer, and reads it to people who do not see it. */
export function toast(text: string): void {
  shown.value = text
  clearTimeout(timer)
  timer = setTimeout(
    () => {
      shown.value = ''
    },
    Math.max(SHOWN_MS, text.length * CHARACTER_MS),
  )
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(`Copied ${what}`)
  } catch {
    toast('The browser does not allow this page to copy')
  }
}

/** A command that can be copied. */
export const Command = ({ text }: { text: string }) => (
  <span class="command">
    <code dir="ltr">{text}</code>
    <Button label={`Copy ${text}`} icon="copy" bare onClick={() => copy(text, 'the command')} />
  </span>
)

export function Toast() {
  return (
    <div class="toast" role="status" data-shown={shown.value !== ''}>
      {shown.value}
    </div>
  )
}
