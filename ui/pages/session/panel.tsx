import { type Signal, useSignal } from '@preact/signals'
import { ask, type SessionRow } from '../../api/ask.ts'
import { Failure } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Button } from '../../parts/controls.tsx'
import { copy } from '../../parts/notice.tsx'
import { Time } from '../../parts/page.tsx'
import { Fact } from '../../parts/table.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { addTag, marksAvailable, marksOf, removeTag, rename } from '../../state/marks.ts'
import { brief, bytes, count, dollars, kindName, platformName, shortPath } from '../../text/format.ts'
import { dateAndTime } from '../../text/times.ts'
import { KeptOf } from '../rescue.tsx'
import { Changes } from './changes.tsx'
import type { Conversation } from './conversation.ts'
import { isGone } from './header.tsx'
import type { Tab } from './keys.ts'
import { Curve, Outline } from './outline.tsx'

const TABS = [
  { id: 'outline', title: 'Outline' },
  { id: 'changes', title: 'Changes' },
  { id: 'details', title: 'Details' },
] as const satisfies readonly { id: Tab; title: string }[]

interface PanelProperties {
  tab: Signal<Tab>
  conversation: Conversation
  viewport: Viewport
  onClose(): void
}

/** Beside the conversation: the curve of its context, the outline, the net diff, and its details. */
export function Panel({ tab, conversation, viewport, onClose }: PanelProperties) {
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    const at = TABS.findIndex(({ id }) => id === tab.value)
    tab.value = TABS[(at + by + TABS.length) % TABS.length]!.id
    document.getElementById(`tab-${tab.value}`)?.focus()
  }
  return (
    // Lines of files need more room than the outline. The conversation stays as wide as it is.
    <aside class="panel" data-wide={tab.value === 'changes'} aria-label="About this session">
      <div class="panel-head">
        <div class="tabs" role="tablist" aria-label="About this session">
          {TABS.map(({ id, title }) => (
            <button
              key={id}
              id={`tab-${id}`}
              type="button"
              role="tab"
              aria-selected={tab.value === id}
              aria-controls="panel-content"
              tabIndex={tab.value === id ? 0 : -1}
              onKeyDown={move}
              onClick={() => {
                tab.value = id
              }}
            >
              {title}
            </button>
          ))}
        </div>
        <Button label="Hide the panel" icon="close" bare onClick={onClose} />
      </div>
      <div
        id="panel-content"
        class="panel-content"
        role="tabpanel"
        aria-labelledby={`tab-${tab.value}`}
        tabIndex={0}
      >
        {tab.value === 'outline' && (
          <>
            <Resume conversation={conversation} />
            <Curve conversation={conversation} viewport={viewport} />
            <Outline conversation={conversation} viewport={viewport} />
          </>
        )}
        {tab.value === 'changes' && <Changes conversation={conversation} />}
        {tab.value === 'details' && <Details conversation={conversation} />}
      </div>
    </aside>
  )
}

function Details({ conversation }: { conversation: Conversation }) {
  const row = conversation.outline.value?.session
  if (!row) return null
  const { usage } = row
  const facts: [string, string | undefined][] = [
    ['Client', platformName(row.platform)],
    ['Agent', row.agent],
    ['Kind', kindName(row.kind)],
    ['Model', row.model],
    ['Version', row.version],
    ['Git branch', row.gitBranches?.join(', ')],
    ['Folder', row.cwd ?? undefined],
    ['Human messages', count(row.messages.human)],
    ['Agent messages', count(row.messages.agent)],
    ['Tool calls', count(row.toolCalls)],
    [
      'Errors',
      row.possibleErrors > 0 ? `${row.errors} and ${row.possibleErrors} possible` : count(row.errors),
    ],
    ['Input tokens', usage && brief(usage.input)],
    ['Read from cache', usage && brief(usage.cacheRead)],
    ['Written to cache', usage && brief(usage.cacheWrite)],
    ['Output tokens', usage && brief(usage.output)],
    ['Recorded cost', usage?.cost === undefined ? undefined : dollars(usage.cost)],
    ['Size', `${bytes(row.bytes)}, ${count(row.lines)} lines`],
  ]
  return (
    <>
      <MarkEditor row={row} />
      <dl class="facts">
        <Fact name="Started">
          <Time at={row.startedAt} text={dateAndTime} />
        </Fact>
        <Fact name="Last activity">
          <Time at={row.lastActivityAt ?? row.modifiedAt} text={dateAndTime} />
        </Fact>
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ) : null,
        )}
        <div>
          <dt>Session</dt>
          <dd class="breakable">{row.id}</dd>
        </div>
        <div>
          <dt>File</dt>
          <dd class="breakable" title={row.path} dir="auto">
            {shortPath(row.path, 4)}
          </dd>
        </div>
      </dl>
    </>
  )
}

/** The command that resumes a session in its own client, or the one that puts it back first. */
function Resume({ conversation }: { conversation: Conversation }) {
  const outline = conversation.outline.value
  if (!outline) return null
  const row = outline.session
  // The session that started a subagent resumes it.
  if (row.kind === 'subagent') return null
  if (isGone(row)) return <Restore row={row} />
  const { resume } = outline
  return (
    <div class="resume">
      <p class="resume-name">Resume it</p>
      {'shell' in resume ? (
        <Copied text={resume.shell} />
      ) : (
        <p class="note">It cannot be resumed: {resume.impossible}.</p>
      )}
    </div>
  )
}

/** What is left of a session that its client has deleted, and how to get it back. */
function Restore({ row }: { row: SessionRow }) {
  const { answer, failure } = useAnswer(ask('rescue', { session: row.path }))
  const [gone] = answer?.gone ?? []
  return (
    <div class="resume">
      <p class="resume-name">
        Its client has deleted it.{' '}
        <a class="link" href="/rescue">
          Rescue
        </a>
      </p>
      {gone && <KeptOf gone={gone} />}
      {gone?.restore && <Copied text={gone.restore.command} />}
      {gone && !gone.restore && (
        <p class="note">Its client takes nothing back. You can read and export it here.</p>
      )}
      {failure && <p class="note">{failure.message}</p>}
    </div>
  )
}

const Copied = ({ text }: { text: string }) => (
  <div class="resume-line">
    <code dir="ltr">{text}</code>
    <Button label="Copy the command" icon="copy" bare onClick={() => copy(text, 'the command')} />
  </div>
)

/** The server stores no longer names. */
const LONGEST_NAME = 200

/** The tags and the own name of a session, with fields to change them. */
function MarkEditor({ row }: { row: SessionRow }) {
  const word = useSignal('')
  const fault = useSignal('')
  if (!marksAvailable.value) return null
  const { tags = [], name } = marksOf(row)
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    const tag = word.value.trim()
    if (tag === '') return
    try {
      await addTag(row, tag)
      word.value = ''
    } catch (error) {
      fault.value = error instanceof Failure ? `${error.message}. ${error.hint ?? ''}` : String(error)
    }
  }
  return (
    <div class="marks">
      <label class="field">
        <span>Your name for it</span>
        <input
          type="text"
          value={name}
          placeholder={row.title ?? ''}
          maxLength={LONGEST_NAME}
          onChange={(event) => void rename(row, event.currentTarget.value.trim())}
        />
      </label>
      <form class="field" onSubmit={(event) => void add(event)}>
        <label for="new-tag">Tags</label>
        <span class="tag-list">
          {tags.map((tag) => (
            <button
              key={tag}
              type="button"
              class="chip"
              aria-label={`Remove the tag ${tag}`}
              onClick={() => void removeTag(row, tag)}
            >
              <span dir="auto">{tag}</span>
              <span aria-hidden="true">×</span>
            </button>
          ))}
          <input
            id="new-tag"
            type="text"
            placeholder="Add a tag"
            value={word.value}
            aria-invalid={fault.value !== ''}
            aria-describedby="new-tag-fault"
            onInput={(event) => {
              word.value = event.currentTarget.value
              fault.value = ''
            }}
          />
        </span>
        <p id="new-tag-fault" class="error-words" role="alert">
          {fault.value}
        </p>
      </form>
    </div>
  )
}
