import { ask, type CollectorAnswer } from '../api/ask.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Awaited, Command, Empty } from '../parts/notice.tsx'
import { Page, Time } from '../parts/page.tsx'
import { Fact, Status } from '../parts/table.tsx'
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

/** The destinations this machine delivers to, and their backlog. */
export function Collector() {
  const asked = useAnswer(ask('collector'), { live: 5000, keep: true })
  return (
    <Page title="Collector" subtitle="Where this machine delivers its records, and the backlog">
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
        <Status state={state} words={words} />
      </p>
      {destination.lastError && state === 'failed' && (
        <p class="error-words breakable" dir="auto">
          {destination.lastError}
        </p>
      )}
      {state !== 'ok' && (
        <p>
          Deliver now: <Command text={`scrollback collect ${destination.url}`} />
        </p>
      )}
      <dl class="facts">
        <Fact name="Backlog">
          {backlog.records === 0
            ? 'nothing'
            : `${counted(backlog.records, 'record')}, ${bytes(backlog.bytes)}`}
        </Fact>
        <Fact name="Oldest record">
          {backlog.oldestAt ? <Time at={backlog.oldestAt} text={distance} /> : '–'}
        </Fact>
        <Fact name="Delivered">{`${count(destination.records)} records, ${bytes(destination.bytes)}`}</Fact>
        <Fact name="Last success">
          {destination.lastSuccessAt ? <Time at={destination.lastSuccessAt} text={distance} /> : 'never'}
        </Fact>
        <Fact name="Quarantine">
          {quarantine.length === 0 ? 'empty' : counted(quarantine.length, 'record')}
        </Fact>
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
