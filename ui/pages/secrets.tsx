import { useState } from 'preact/hooks'
import { ask, type SecretsAnswer } from '../api/ask.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Button } from '../parts/controls.tsx'
import { Awaited, Empty } from '../parts/notice.tsx'
import { Page, Time } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { answering } from '../state/events.ts'
import { memoryAddress, sessionAddress } from '../state/router.ts'
import { bytes, count, counted, shortPath } from '../text/format.ts'

type Secret = SecretsAnswer['secrets'][number]
type Place = Secret['at'][number]

const MOST_PLACES = 5

/** Keys and passwords in transcripts: the kind and where, never the value. */
export function Secrets() {
  const asked = useAnswer(ask('secrets', { all: true, places: true }))
  return (
    <Page
      title="Secrets"
      subtitle="Keys and passwords in transcripts: their kind and where they are, never the value"
    >
      {!asked.answer && !asked.failure && <Searching />}
      <Awaited asked={asked} what="The secrets">
        {({ secrets, totals }) => (
          <>
            <p class="note">
              {`Searched ${counted(totals.files, 'file')}, ${counted(totals.lines, 'line')}, ${bytes(totals.bytes)}.`}
            </p>
            {secrets.length === 0 ? (
              <Empty title="No secrets found">
                Nothing in the transcripts looks like a key, a token or a password.
              </Empty>
            ) : (
              <Table
                label="Secrets"
                stacked
                columns={['Kind', 'Lines', 'Sessions', 'First', 'Last', 'Where']}
                numbers={['Lines', 'Sessions']}
              >
                {secrets.map((secret) => (
                  <Row key={secret.tag} secret={secret} />
                ))}
              </Table>
            )}
          </>
        )}
      </Awaited>
    </Page>
  )
}

function Searching() {
  const progress = answering.value?.question === 'secrets' ? answering.value : undefined
  return (
    <div class="searching">
      <p role="status">Searching every transcript, the prompt history and memory.</p>
      <progress aria-label="Searching" {...(progress && { max: progress.all, value: progress.done })} />
      {progress && <p class="note">{`${bytes(progress.done)} of ${bytes(progress.all)}`}</p>}
    </div>
  )
}

/** Words of kinds that have capitals of their own. */
const CAPITALS = new Map(
  ['AWS', 'API', 'GitHub', 'GitLab', 'OpenAI', 'JWT', 'PEM', 'SSH', 'URL', 'ID', 'SMTP'].map((word) => [
    word.toLowerCase(),
    word,
  ]),
)

/** What a secret is, in words, and its number among those of its kind: `GitHub token 2`. */
function nameOf({ kind, tag }: Pick<Secret, 'kind' | 'tag'>): string {
  const words = kind.split('-').map((word) => CAPITALS.get(word) ?? word)
  const name = words.join(' ')
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}\u00a0${tag.slice(kind.length + 1)}`.trim()
}

function Row({ secret }: { secret: Secret }) {
  const [all, setAll] = useState(false)
  const shown = all ? secret.at : secret.at.slice(0, MOST_PLACES)
  return (
    <tr>
      <th scope="row">{nameOf(secret)}</th>
      <td class="right" data-label="Lines">
        {count(secret.places)}
      </td>
      <td class="right" data-label="Sessions">
        {count(secret.sessions)}
      </td>
      <td data-label="First">
        <Time at={secret.firstAt} />
      </td>
      <td data-label="Last">
        <Time at={secret.lastAt} />
      </td>
      <td class="whole" data-label="Where">
        {shown.map((place) => (
          <p key={`${place.path}:${place.line}`} class="breakable" title={place.path} dir="auto">
            <PlaceName place={place} />
          </p>
        ))}
        {secret.at.length > MOST_PLACES && (
          <Button
            label={all ? 'Show fewer' : `Show all ${count(secret.at.length)}`}
            expanded={all}
            onClick={() => setAll(!all)}
          />
        )}
      </td>
    </tr>
  )
}

/** A place in a transcript or in memory is a link. The prompt history has no page. */
function PlaceName({ place: { path, line, source } }: { place: Place }) {
  const name = `${shortPath(path, 2)}:${line}`
  if (source === 'transcript')
    return (
      <a class="link" href={sessionAddress(path, line)}>
        {name}
      </a>
    )
  if (source === 'memory')
    return (
      <a class="link" href={memoryAddress(path)}>
        {name}
      </a>
    )
  return (
    <>
      {name} <span class="note">prompt history</span>
    </>
  )
}
