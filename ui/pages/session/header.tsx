import { type Signal, signal } from '@preact/signals'
import { ask, type ParametersOf, type SessionRow } from '../../api/ask.ts'
import { type Failure, get, getFile } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { AgentBadge } from '../../parts/agent-badge.tsx'
import { Button, Choice } from '../../parts/controls.tsx'
import { copy, toast } from '../../parts/notice.tsx'
import { Time } from '../../parts/page.tsx'
import { Star } from '../../parts/session-line.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { marksOf } from '../../state/marks.ts'
import { projectAddress, sessionAddress, setQuery } from '../../state/router.ts'
import { agentName, brief, costOrRecorded, counted, modelName, titleOf } from '../../text/format.ts'
import { duration, ms } from '../../text/times.ts'
import { changesAddress } from './changes.tsx'
import type { Conversation } from './conversation.ts'
import { Errors } from './errors.tsx'
import type { Layout } from './rows.ts'

const LAYOUT_NAMES = [
  { value: 'everything', label: 'Everything' },
  { value: 'dialogue', label: 'Dialogue' },
  { value: 'answers', label: 'Answers' },
] as const

const FILES = [
  { format: 'markdown', label: 'Save as Markdown' },
  { format: 'html', label: 'Save as a web page' },
  { format: 'json', label: 'Save as JSON' },
] as const

interface HeaderProperties {
  conversation: Conversation
  layout: Layout
  isPanelOpen: Signal<boolean>
  isFinding: Signal<boolean>
  viewport: Viewport
  onChanges(): void
}

/** What the page is about where there is no session to show. */
export const headingOf = ({ status, matches }: Failure): string => {
  if (matches.length > 0) return 'Which session?'
  return status === 404 ? 'There is no such session' : 'The session could not be loaded'
}

/** Why there is no session to show, and what leads on. */
export function NotShown({ failure, again }: { failure: Failure; again?: () => void }) {
  const { status, message, hint = '', matches } = failure
  return (
    <div class="empty failed" role="alert">
      <p class="empty-words">{matches.length > 0 ? message : `${message} ${hint}`}</p>
      {matches.length > 0
        ? matches.map((each) => (
            <p key={each} class="empty-words">
              <a href={sessionAddress(each)} dir="auto">
                {each}
              </a>
            </p>
          ))
        : again && (
            <p class="empty-words">
              {status === 404 ? (
                <a href="/sessions">See all sessions</a>
              ) : (
                <Button label="Try again" onClick={again} />
              )}
            </p>
          )}
    </div>
  )
}

export function Header({ conversation, layout, isPanelOpen, isFinding, ...jumps }: HeaderProperties) {
  const row = conversation.outline.value?.session
  const failure = conversation.failure.value
  return (
    <header class="session-head">
      <div class="session-names">
        <h1>
          {row && <AgentBadge platform={row.platform} agent={row.agent} />}
          {row ? (
            <span class="session-heading" dir="auto">
              {marksOf(row).name || titleOf(row)}
            </span>
          ) : (
            <span class={failure ? 'session-heading' : 'unseen'}>
              {failure ? headingOf(failure) : 'Loading the session'}
            </span>
          )}
          {row && <Star row={row} />}
        </h1>
        <Facts conversation={conversation} {...jumps} />
      </div>
      {/* There is nothing to do where there is no session. */}
      {(row || !failure) && (
        <div class="session-actions">
          <Choice
            label="Layout"
            value={layout}
            options={LAYOUT_NAMES}
            onChange={(value) => setQuery({ layout: value === 'everything' ? '' : value })}
          />
          <Button
            label="Find in this session"
            icon="search"
            bare
            keys="/"
            pressed={isFinding.value}
            onClick={() => {
              isFinding.value = !isFinding.value
            }}
          />
          <Button
            label={
              row && isGone(row) ? 'Copy the command that restores it' : 'Copy the command that resumes it'
            }
            icon="play"
            bare
            keys="c"
            disabled={!row}
            onClick={() => row && void copyResume(row)}
          />
          <ExportMenu session={conversation.session} />
          <Button
            label="Side panel"
            icon="panel"
            bare
            keys="p"
            pressed={isPanelOpen.value}
            onClick={() => {
              isPanelOpen.value = !isPanelOpen.value
            }}
          />
        </div>
      )}
    </header>
  )
}

function Facts({
  conversation,
  viewport,
  onChanges,
}: Pick<HeaderProperties, 'conversation' | 'viewport' | 'onChanges'>) {
  const row = conversation.outline.value?.session
  const { answer } = useAnswer(row ? ask('session', { session: row.id }) : undefined, {
    live: 10_000,
    keep: true,
  })
  const cost = answer?.sessions.find(({ path }) => path === row?.path)?.cost ?? null
  if (!row) return <p class="session-facts"> </p>
  const started = ms(row.startedAt)
  const ended = ms(row.lastActivityAt)
  const tokens = row.usage
    ? row.usage.input + row.usage.output + row.usage.cacheRead + row.usage.cacheWrite
    : 0
  return (
    <div class="fact-line">
      <p class="session-facts">
        {row.open && <span class="live-mark">open now</span>}
        {row.project && (
          <a href={projectAddress(row.project)} dir="auto">
            {row.project}
          </a>
        )}
        {row.parent && <a href={sessionAddress(row.parent)}>started by another session</a>}
        <span class="who" dir="auto">
          {agentName(row.platform, row.agent)}
        </span>
        {row.model && (
          <span class="who" dir="auto">
            {modelName(row.model)}
          </span>
        )}
        {started !== undefined && (
          <span>
            <Time at={started} />
            {ended !== undefined && ended - started > 60_000 && `, ${duration(ended - started)}`}
          </span>
        )}
        <span>{counted(row.messages.human + row.messages.agent, 'message')}</span>
        {tokens > 0 && <span>{`${brief(tokens)} tokens`}</span>}
        {(cost !== null || row.usage?.cost !== undefined) && (
          <span title={cost === null ? 'As its client recorded it' : 'At list price, without its subagents'}>
            {costOrRecorded(cost, row.usage?.cost)}
          </span>
        )}
        <NetChanges conversation={conversation} row={row} onChanges={onChanges} />
        {row.state !== 'live' && row.state !== 'purged' && <span>{row.state}</span>}
        {isGone(row) && (
          <a class="gone-mark" href="/rescue">
            deleted by its client
          </a>
        )}
      </p>
      <Errors conversation={conversation} viewport={viewport} />
    </div>
  )
}

/** The file of a longer session is only read for its changes when somebody wants to see them. */
const MOST_BYTES = 16_000_000

/** How much the session changed in files: first state against last. */
function NetChanges({
  conversation,
  row,
  onChanges,
}: Pick<HeaderProperties, 'conversation' | 'onChanges'> & { row: SessionRow }) {
  const isRead = row.toolCalls > 0 && row.bytes <= MOST_BYTES && row.state === 'live' && !row.goneSince
  const { answer } = useAnswer(isRead ? changesAddress(conversation) : undefined, {
    live: 10_000,
    keep: true,
  })
  if (!answer || answer.files.length === 0) return null
  const { files, added, removed } = answer
  return (
    <button type="button" class="net-changes" title="See the changes (d)" onClick={onChanges}>
      {counted(files.length, 'file')}
      <span class="added-count">{` +${added}`}</span>
      {removed > 0 && <span class="removed-count">{` −${removed}`}</span>}
    </button>
  )
}

function ExportMenu({ session }: { session: string }) {
  const isOpen = exportOpen.value
  const closeMenu = () => {
    exportOpen.value = false
  }
  return (
    <span class="menu-holder">
      <Button
        label="Export"
        icon="export"
        bare
        keys="e"
        expanded={isOpen}
        onClick={() => {
          exportOpen.value = !isOpen
        }}
      />
      {isOpen && (
        <ul class="menu">
          <li>
            <button
              type="button"
              onClick={() => {
                closeMenu()
                void copyMarkdown(session)
              }}
            >
              Copy as Markdown
            </button>
          </li>
          {FILES.map(({ format, label }) => (
            <li key={format}>
              <button
                type="button"
                onClick={() => {
                  closeMenu()
                  void save(session, format)
                }}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </span>
  )
}

export const exportOpen = signal(false)

const exported = (session: string, format: ParametersOf<'export'>['format']) =>
  getFile(ask('export', { session, format }))

const failed = (error: unknown): void => toast(error instanceof Error ? error.message : String(error))

/** Whether the client has deleted its file. */
export const isGone = ({ goneSince, state }: SessionRow): boolean => Boolean(goneSince) || state === 'purged'

/** Copies the command that resumes a session, or that restores it where its file is gone. */
export async function copyResume(row: SessionRow): Promise<void> {
  try {
    if (isGone(row)) {
      const { gone } = await get(ask('rescue', { session: row.path }))
      const command = gone[0]?.restore?.command
      if (command === undefined) toast('Its client takes nothing back, so it can only be read here')
      else await copy(command, command)
      return
    }
    const { shell } = await get(ask('resume', { session: row.id }))
    await copy(shell, shell)
  } catch (error) {
    failed(error)
  }
}

async function copyMarkdown(session: string): Promise<void> {
  try {
    const { file } = await exported(session, 'markdown')
    await copy(await file.text(), 'the session as Markdown')
  } catch (error) {
    failed(error)
  }
}

/** Lets the browser save a session as a file. */
async function save(session: string, format: ParametersOf<'export'>['format']): Promise<void> {
  try {
    const { file, name } = await exported(session, format)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = name
    link.click()
    // The browser has it when the click is over.
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  } catch (error) {
    failed(error)
  }
}
