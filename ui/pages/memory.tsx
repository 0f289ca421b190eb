import { ask, type Document, type MemoryAnswer, type ParametersOf } from '../api/ask.ts'
import { useAnswer } from '../api/use-answer.ts'
import { AgentBadge } from '../parts/agent-badge.tsx'
import { Choice, Select } from '../parts/controls.tsx'
import { Awaited, Empty } from '../parts/notice.tsx'
import { Page, Section, Time } from '../parts/page.tsx'
import { Status, Table } from '../parts/table.tsx'
import { memoryAddress, query, setQuery } from '../state/router.ts'
import { bytes, count, counted, shortPath } from '../text/format.ts'
import { type DiffLine, DiffLines, Markdown } from '../text/prose.tsx'
import { age, dateAndTime } from '../text/times.ts'

/** What agents remember, with the versions of each text. */
export function Memory() {
  const asked = useAnswer(ask('memory'), { live: 10_000, keep: true })
  const chosen = query('file')
  return (
    <Page title="Memory" subtitle={asked.answer ? counted(asked.answer.total, 'text') : ' '}>
      <Awaited asked={asked} what="The memory">
        {({ documents, semantic }) =>
          documents.length === 0 ? (
            <Empty title="No memory yet">Notes and logs that agents write for themselves appear here.</Empty>
          ) : (
            <div class="split" data-chosen={chosen !== ''}>
              <nav class="documents" aria-label="Texts">
                {[
                  ...Map.groupBy(documents, ({ project, agent, platform }) => project ?? agent ?? platform),
                ].map(([owner, own]) => (
                  <section key={owner}>
                    <h2>
                      {own[0] && <AgentBadge platform={own[0].platform} />}
                      <span dir="auto">{owner}</span>
                    </h2>
                    <ul>
                      {own.map((document) => (
                        <li key={document.path}>
                          <Entry document={document} isChosen={document.path === chosen} />
                        </li>
                      ))}
                    </ul>
                  </section>
                ))}
              </nav>
              <div>
                {chosen === '' ? (
                  <>
                    <Empty title="Choose a text">
                      Each one is shown with its versions, and what changed between them.
                    </Empty>
                    {semantic && semantic.length > 0 && <Semantic rows={semantic} />}
                  </>
                ) : (
                  <>
                    <a class="all-texts" href="/memory">
                      All texts
                    </a>
                    <DocumentView document={documents.find(({ path }) => path === chosen)} />
                  </>
                )}
              </div>
            </div>
          )
        }
      </Awaited>
    </Page>
  )
}

function Entry({ document, isChosen }: { document: Document; isChosen: boolean }) {
  return (
    <a href={memoryAddress(document.path)} aria-current={isChosen ? 'page' : undefined}>
      <span class="document-name">
        <span dir="auto">{document.name}</span>
        <span class="note">
          <Time at={document.modifiedAt} text={age} />
        </span>
      </span>
      <span class="note">
        {`${document.kind} · ${bytes(document.bytes)}`}
        {document.versions > 1 && ` · ${counted(document.versions, 'version')}`}
        {document.goneSince && ' · deleted'}
      </span>
    </a>
  )
}

/** The lines of a patch. The names of the files at its head are the same as above it. */
function linesOf(patch: string): DiffLine[] {
  return patch
    .split('\n')
    .filter((line) => !/^(?:---|\+\+\+|===|Index:|\\ )/.test(line) && line !== '')
    .map((line): DiffLine => {
      if (line.startsWith('@@')) return { kind: 'fold', text: line }
      const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
      return { kind, text: line.slice(1) }
    })
}

function DocumentView({ document }: { document: Document | undefined }) {
  if (!document) return <Empty title="No such text">It may have been renamed. Choose another one.</Empty>
  return <Chosen key={document.path} document={document} />
}

function Chosen({ document }: { document: Document }) {
  const owner = document.project ?? document.agent ?? undefined
  const of: ParametersOf<'memory'> = { owner, file: document.name }
  const hasVersions = document.versions > 1
  const shown = hasVersions ? shownVersion() : { isDiff: false, version: undefined, since: undefined }
  const past = useAnswer(hasVersions ? ask('memory', { ...of, versions: true }) : undefined, {
    live: 10_000,
    keep: true,
  })
  const asked = useAnswer(
    ask('memory', {
      ...of,
      diff: shown.isDiff,
      at: shown.version ? `v${shown.version}` : undefined,
      since: shown.isDiff && shown.since ? `v${shown.since}` : undefined,
    }),
    { live: 10_000, keep: true },
  )
  const own = (answer: MemoryAnswer | undefined): Document | undefined =>
    answer?.documents.find(({ path }) => path === document.path)
  const { bytes: size, modifiedAt, change } = own(asked.answer) ?? document
  const history = own(past.answer)?.history
  return (
    <article>
      <h2 dir="auto">{document.name}</h2>
      <p class="note breakable" dir="auto">
        {document.path}
      </p>
      <p class="note">
        {`${bytes(size)} · ${counted(document.versions, 'version')} · changed `}
        <Time at={modifiedAt} />
        {change && (
          <>
            <span class="added-count">{` +${change.added}`}</span>
            <span class="removed-count">{` −${change.removed}`}</span>
          </>
        )}
      </p>
      {hasVersions && <Versions history={history ?? []} shown={shown} />}
      <Awaited asked={asked} what="The text">
        {(answer) => {
          const { text, diff } = own(answer) ?? {}
          if (shown.isDiff)
            return diff ? (
              <DiffLines lines={linesOf(diff)} />
            ) : (
              <Empty title="Nothing to compare with">This is the first version.</Empty>
            )
          return text ? (
            <div class="document">
              <Markdown text={text} />
            </div>
          ) : (
            <Empty title="The text is empty" />
          )
        }}
      </Awaited>
    </article>
  )
}

type Version = NonNullable<Document['history']>[number]

/** Which version of a text is shown, and how: as the address says. */
interface Shown {
  isDiff: boolean
  /** The number of the version. Undefined for the last. */
  version: number | undefined
  /** The version that it is compared with. Undefined for the one before it. */
  since: number | undefined
}

const shownVersion = (): Shown => ({
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
function Versions({ history, shown }: { history: readonly Version[]; shown: Shown }) {
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

/** The indexes that agents search their memory with, and whether they are outdated. */
function Semantic({ rows }: { rows: NonNullable<MemoryAnswer['semantic']> }) {
  return (
    <Section title="Semantic memory">
      <Table
        label="Semantic memory"
        columns={['Agent', 'Chunks', 'Up to date', 'Last made']}
        numbers={['Chunks']}
      >
        {rows.map((row) => {
          const outdated = row.changed.length + row.gone.length + row.missing.length
          return (
            <tr key={row.path}>
              <th scope="row">
                <span dir="auto">{row.agent}</span>
                <p class="note" dir="auto">
                  {shortPath(row.path)}
                </p>
              </th>
              <td class="right">{count(row.chunks)}</td>
              <td>
                <Status
                  state={outdated > 0 ? 'warning' : 'ok'}
                  words={outdated > 0 ? `${outdated} outdated` : 'yes'}
                />
              </td>
              <td>
                <Time at={row.updatedAt} />
              </td>
            </tr>
          )
        })}
      </Table>
    </Section>
  )
}
