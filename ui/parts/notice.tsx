import type { ComponentChildren } from 'preact'
import type { Asked } from '../api/use-answer.ts'
import { Button } from './button.tsx'

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
