import type { Document } from '../../api/shapes.ts'
import { Choice } from '../../parts/choice.tsx'
import { Select } from '../../parts/select.tsx'
import { query, setQuery } from '../../state/router.ts'
import { dateAndTime } from '../../text/times.ts'

type Version = NonNullable<Document['history']>[number]

/** Which version of a text is shown, and how: as the address says. */
export interface Shown {
  isDiff: boolean
  /** The number of the version. Undefined for the last. */
  version: number | undefined
  /** The version that it is compared with. Undefined for the one before it. */
  since: number | undefined
}

export const shownVersion = (): Shown => ({
  isDiff: query('view') === 'changes',
  version: Number(query('version')) || undefined,
  since: Number(query('since')) || undefined,
})

const nameOf = ({ number, modifiedAt, change }: Version): string =>
  [`v${number}`, dateAndTime(Date.parse(modifiedAt)), change && `+${change.added} −${change.removed}`]
    .filter((part) => part !== null)
    .join(' · ')

/** Versions to choose from. That of an address without a choice has no value. */
const optionsOf = (history: readonly Version[], unchosen: number) =>
  history.map((each) => ({
    value: each.number === unchosen ? '' : String(each.number),
    label: nameOf(each),
  }))

/** Chooses a version, and whether its text is shown or what changed until then. */
export function Versions({ history, shown }: { history: readonly Version[]; shown: Shown }) {
  const last = history[0]?.number ?? 1
  const version = shown.version ?? last
  const others = history.filter(({ number }) => number !== version)
  return (
    <div class="versions">
      <Choice
        label="View"
        value={shown.isDiff ? 'changes' : 'text'}
        options={[
          { value: 'text', label: 'Text' },
          { value: 'changes', label: 'Changes' },
        ]}
        onChange={(view) => setQuery({ view: view === 'text' ? '' : view, since: '' })}
      />
      <Select
        label="Version"
        value={version === last ? '' : String(version)}
        options={optionsOf(history, last)}
        onChange={(value) => setQuery({ version: value, since: '' })}
      />
      {shown.isDiff && version > 1 && (
        <Select
          label="Changes since"
          value={shown.since === undefined || shown.since === version - 1 ? '' : String(shown.since)}
          options={optionsOf(others, version - 1)}
          onChange={(since) => setQuery({ since })}
        />
      )}
    </div>
  )
}
