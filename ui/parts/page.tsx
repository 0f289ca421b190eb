import { type ComponentChildren, Fragment } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Asked } from '../api/use-answer.ts'
import { fullTime, type Moment, ms, when } from '../text/times.ts'
import { Loading } from './notice.tsx'

interface PageProperties {
  /** What the tab of the browser says. */
  title: string
  /** What the page says, if it is something else. */
  heading?: string
  /** Next to the title. */
  subtitle?: ComponentChildren
  actions?: ComponentChildren
  /** Fills the window and scrolls inside, as lists do. */
  fixed?: boolean
  class?: string
  children: ComponentChildren
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Scrollback' : `${title} · Scrollback`
  }, [title])
}

/** The frame of a page: its title, actions and content. */
export function Page({
  title,
  heading = title,
  subtitle,
  actions,
  fixed,
  class: name,
  children,
}: PageProperties) {
  useTitle(title)
  return (
    <main class={`page ${fixed ? 'page-fixed' : ''} ${name ?? ''}`} id="content" tabIndex={-1}>
      <div class="page-inner">
        <div class="page-head">
          <div class="page-title">
            <h1 dir="auto">{heading}</h1>
            {subtitle && <p class="page-subtitle">{subtitle}</p>}
          </div>
          {actions && <div class="page-actions">{actions}</div>}
        </div>
        {children}
      </div>
    </main>
  )
}

/** A titled part of a page. */
export function Section({
  title,
  more,
  class: name,
  children,
}: {
  title: string
  more?: ComponentChildren
  class?: string
  children: ComponentChildren
}) {
  return (
    <section class={`section ${name ?? ''}`}>
      <div class="section-head">
        <h2>{title}</h2>
        {more && <div class="section-more">{more}</div>}
      </div>
      {children}
    </section>
  )
}

interface Part {
  /** What it shows. It is ready when all of it is answered or has failed. */
  asked: readonly Asked<unknown>[]
  /** Undefined if there is nothing to show. */
  draw(): ComponentChildren
}

const isReady = ({ asked }: Part): boolean =>
  asked.every(({ answer, failure }) => answer !== undefined || failure !== undefined)

/** Parts of a page from top to bottom. Each appears when those above it are there, so nothing ever moves. */
export function InOrder({ what, parts }: { what: string; parts: readonly Part[] }) {
  const missing = parts.findIndex((part) => !isReady(part))
  const ready = missing < 0 ? parts : parts.slice(0, missing)
  return (
    <>
      {ready.map(({ draw }, place) => (
        <Fragment key={place}>{draw()}</Fragment>
      ))}
      {/* With a key of its own each time: it is another element, which does not move. */}
      {missing >= 0 && <Loading key={`until ${missing}`} what={what} />}
    </>
  )
}

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
