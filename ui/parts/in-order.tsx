import { type ComponentChildren, Fragment } from 'preact'
import type { Asked } from '../api/use-answer.ts'
import { Loading } from './notice.tsx'

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
