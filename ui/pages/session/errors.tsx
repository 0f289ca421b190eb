import { useMemo } from 'preact/hooks'
import { ask, type Hit } from '../../api/ask.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Button } from '../../parts/controls.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Awaited } from '../../parts/notice.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { count, counted } from '../../text/format.ts'
import { ms, timeOfDay } from '../../text/times.ts'
import type { Conversation } from './conversation.ts'
import { indexOfLine, showError, stepToError } from './steps.ts'

interface ErrorsProperties {
  conversation: Conversation
  viewport: Viewport
}

/** The errors of a session: how many, which is shown, the ones before and after it, and all in a list. */
export function Errors({ conversation, viewport }: ErrorsProperties) {
  const { who } = conversation.shape.value
  const row = conversation.outline.value?.session
  const places = useMemo(() => [...who.matchAll(/e/g)].map(({ index }) => index), [who])
  const at = conversation.shownError.value?.error
  const number = at === undefined ? 0 : places.indexOf(at) + 1
  if (!row || places.length === 0) return null
  const possible = places.length - row.errors
  const all = `${counted(row.errors, 'error')}${possible > 0 ? `, ${count(possible)} possible` : ''}`
  const step = (by: 1 | -1) => () => stepToError({ conversation, viewport }, by)
  return (
    <span class="errors">
      <Button label="Previous error" icon="left" bare keys="N" onClick={step(-1)} />
      <button type="button" class="error-words" title="Go to the next error (n)" onClick={step(1)}>
        {number > 0 ? `Error ${count(number)} of ${count(places.length)}` : all}
      </button>
      <Button label="Next error" icon="chevron" bare keys="n" onClick={step(1)} />
      <Menu label="List" name="List of errors">
        {(close) => <ErrorList conversation={conversation} viewport={viewport} onChosen={close} />}
      </Menu>
    </span>
  )
}

/** More errors are reached one by one. */
const MOST = 200

function ErrorList({ conversation, viewport, onChosen }: ErrorsProperties & { onChosen(): void }) {
  const id = conversation.outline.value?.session.id ?? conversation.session
  const query = `session:${id} who:error`
  const asked = useAnswer(ask('search', { query: [query], sort: 'newest', limit: MOST }))
  const go = ({ line }: Hit) => {
    const { line: lines, who } = conversation.shape.peek()
    const place = lines.findIndex((each, index) => each === line && who[index] === 'e')
    onChosen()
    const index = place >= 0 ? place : indexOfLine(lines, line)
    if (index !== undefined) showError({ conversation, viewport }, index)
  }
  return (
    <Awaited asked={asked} what="The errors" lines={4}>
      {({ hits, total }) => (
        <>
          <ul class="error-list" aria-label="Errors, the latest first">
            {hits.map((hit) => (
              <li key={`${hit.line} ${hit.offset}`}>
                <button type="button" onClick={() => go(hit)}>
                  <span class="error-text" dir="auto">
                    {hit.snippet || (hit.tool?.name ?? 'Error')}
                  </span>
                  <time>{timeOfDay(ms(hit.at) ?? 0)}</time>
                </button>
              </li>
            ))}
          </ul>
          {total > hits.length && <p class="note">{`The latest ${count(hits.length)} of ${count(total)}`}</p>}
        </>
      )}
    </Awaited>
  )
}
