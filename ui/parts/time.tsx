import { fullTime, type Moment, ms, when } from '../text/times.ts'

/** A time in the reader's zone, with the full time on hover. */
export function Time({
  at,
  text,
  class: name,
}: {
  at: Moment
  text?: (at: number) => string
  class?: string
}) {
  const value = ms(at)
  if (value === undefined) return null
  return (
    <time dateTime={new Date(value).toISOString()} title={fullTime(value)} class={name}>
      {(text ?? when)(value)}
    </time>
  )
}
