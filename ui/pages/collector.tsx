import { ask, type CollectorAnswer } from '../api/ask.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Awaited, Empty } from '../parts/notice.tsx'
import { Page, Time } from '../parts/page.tsx'
import { bytes, count, counted } from '../text/format.ts'
import { distance } from '../text/times.ts'

type Destination = NonNullable<CollectorAnswer['status']>[number]

function stateOf({ behind, lastError, lastErrorAt, lastSuccessAt, backlog }: Destination): {
  state: string
  words: string
} {
  if (lastError && (!lastSuccessAt || (lastErrorAt ?? '') > lastSuccessAt))
    return { state: 'failed', words: 'failing' }
  if (behind) return { state: 'warning', words: 'behind' }
  return backlog.records > 0 ? { state: 'ok', words: 'delivering' } : { state: 'ok', words: 'up to date' }
}

/** The destinations this machine delivers to, and what waits. */
export function Collector() {
  const asked = useAnswer(ask('collector'), { live: 5000, keep: true })
  return (
    <Page title="Collector" tells="Where this machine delivers its records, and what waits">
      <Awaited asked={asked} what="The destinations">
        {({ status = [] }) =>
          status.length === 0 ? (
            <Empty title="This machine delivers nothing">
              <p>
                To keep an archive in a directory, run <code>scrollback collect ~/archive</code>. Nothing
                leaves this machine unless you name a server.
              </p>
            </Empty>
          ) : (
            <ul class="cards wide-cards">
              {status.map((destination) => (
                <li key={destination.url}>
                  <Card destination={destination} />
                </li>
              ))}
            </ul>
          )
        }
      </Awaited>
    </Page>
  )
}

function Card({ destination }: { destination: Destination }) {
  const { state, words } = stateOf(destination)
  const { backlog, quarantine } = destination
  return (
    <article class="card">
      <h2 class="breakable" dir="auto">
        {destination.url}
      </h2>
      <p>
        <span class="status" data-state={state}>
          {words}
        </span>
      </p>
      {destination.lastError && state === 'failed' && (
        <p class="error-words breakable" dir="auto">
          {destination.lastError}
        </p>
      )}
      <dl class="facts">
        <div>
          <dt>Waits</dt>
          <dd>
            {backlog.records === 0
              ? 'nothing'
              : `${counted(backlog.records, 'record')}, ${bytes(backlog.bytes)}`}
          </dd>
        </div>
        <div>
          <dt>Oldest of it</dt>
          <dd>{backlog.oldestAt ? <Time at={backlog.oldestAt} text={distance} /> : '–'}</dd>
        </div>
        <div>
          <dt>Delivered</dt>
          <dd>{`${count(destination.records)} records, ${bytes(destination.bytes)}`}</dd>
        </div>
        <div>
          <dt>Last success</dt>
          <dd>
            {destination.lastSuccessAt ? <Time at={destination.lastSuccessAt} text={distance} /> : 'never'}
          </dd>
        </div>
        <div>
          <dt>Quarantine</dt>
          <dd>{quarantine.length === 0 ? 'empty' : counted(quarantine.length, 'record')}</dd>
        </div>
        {destination.archive?.problem && (
          <div>
            <dt>Archive</dt>
            <dd class="error-words">{destination.archive.problem}</dd>
          </div>
        )}
      </dl>
    </article>
  )
}
